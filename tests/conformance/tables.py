# SPDX-License-Identifier: BSD-3-Clause
"""Tables that mpi4py keeps once in a process, and that ranks which are threads have to have for themselves."""

from __future__ import annotations

import ctypes
import gc
from typing import Any


class Locks:
    """mpi4py's locks of communicators, for its collectives of objects.

    It hangs a table of them on each communicator as an attribute, and keeps the table in a dictionary by handle: of
    several ranks, to all of which MPI_COMM_WORLD is one handle, only the last one's would live. So each gets its own.
    """

    def __init__(self, library: ctypes.CDLL, mpi: Any, control: Any) -> None:
        self._library, self._kept = library, list[dict[str, Any]]()
        control.allgather(None)  # makes the table of `control`
        handle = mpi._handleof(control)
        tables = (one for one in gc.get_objects() if type(one) is dict and type(one.get(handle)) is dict)
        table = next(tables)[handle]
        near = mpi.Comm.Create_keyval()
        self._key = next(key for key in range(near, near - 100, -1) if self._has(handle, key, id(table)))
        self._handles = [mpi._handleof(one) for one in (mpi.COMM_WORLD, mpi.COMM_SELF)]

    def _has(self, handle: int, key: int, value: int) -> bool:
        seen, found = ctypes.c_void_p(), ctypes.c_int()
        given = (ctypes.c_void_p(handle), key, ctypes.byref(seen), ctypes.byref(found))
        return self._library.MPI_Comm_get_attr(*given) == 0 and found.value != 0 and seen.value == value

    def give(self) -> None:
        """To the rank that calls."""
        for handle in self._handles:
            table = dict[str, Any]()
            self._kept.append(table)
            self._library.MPI_Comm_set_attr(ctypes.c_void_p(handle), self._key, ctypes.c_void_p(id(table)))


class Places:
    """The 32 places for functions that mpi4py has for operators, and for error handlers of each kind.

    Those of error handlers it never gives back. So a rank that has its turn finds all of them free.
    """

    _TABLES = 5
    _LENGTH = 1 + 32

    def __init__(self) -> None:
        """To be called before anybody has used one."""
        empty = [None] * self._LENGTH
        self._tables = [one for one in gc.get_objects() if type(one) is list and one == empty and one is not empty]
        assert len(self._tables) == self._TABLES, "mpi4py has other tables of functions than its version 4.1.2"
        self._before: list[list[Any]] = []

    def begin(self) -> None:
        """The turn of a rank."""
        self._before = [list(table) for table in self._tables]
        for table in self._tables:
            table[:] = [None] * self._LENGTH

    def end(self) -> None:
        """As they were."""
        for table, before in zip(self._tables, self._before, strict=True):
            table[:] = before
