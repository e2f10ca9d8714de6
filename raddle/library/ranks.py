# SPDX-License-Identifier: BSD-3-Clause
"""Endpoints for Python threads: communicators of mpi4py, made by libraddle."""

from __future__ import annotations

import ctypes
from typing import Any

from raddle.errors import UserError


def endpoints(comm: Any, count: int) -> list[Any]:
    """`count` endpoints of this process over an intracommunicator of mpi4py, as communicators of mpi4py.

    Collective over `comm`; the other processes may ask for other numbers. Whichever thread uses one communicates as
    that rank. Each is freed by its Free(). Raises UserError where libraddle is not between the program and its MPI, and
    mpi4py.MPI.Exception for what the MPI or libraddle objects to.
    """
    from mpi4py import MPI  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    if count < 0:
        raise ValueError("the number of endpoints is negative")
    create = library("MPIX_Comm_create_endpoints")
    # An MPI's handles are integers or pointers, and so long as what holds one in mpi4py.
    handle = ctypes.c_uint if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_uint) else ctypes.c_void_p
    made = (handle * max(count, 1))()
    info = as_handle(MPI._handleof(MPI.INFO_NULL), MPI._sizeof(MPI.Info))
    code = create(as_handle(MPI._handleof(comm), MPI._sizeof(MPI.Comm)), ctypes.c_int(count), info, made)
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)
    return [MPI.Comm.fromhandle(one) for one in made[:count]]


def library(function: str) -> Any:
    """A function of libraddle. Raises UserError where it is not between the program and its MPI."""
    try:
        return getattr(ctypes.CDLL(None), function)
    except AttributeError:
        raise UserError(
            "libraddle is not loaded: it has to be between this program and its MPI.",
            hint="Start it so: raddle exec -- mpiexec -n 2 python program.py",
        ) from None


def as_handle(handle: int, size: int) -> Any:
    """What C takes for a handle of mpi4py that is so long."""
    return ctypes.c_uint(handle) if size == ctypes.sizeof(ctypes.c_uint) else ctypes.c_void_p(handle)
