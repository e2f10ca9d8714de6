# SPDX-License-Identifier: BSD-3-Clause
"""Sparse exchanges for Python: arrays of NumPy on communicators of mpi4py, moved by libraddle."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from raddle.errors import UserError
from raddle.library.ranks import as_handle, library


class _Messages(ctypes.Structure):
    """Raddle_Sparse_messages."""

    _fields_ = (
        ("count", ctypes.c_int),
        ("ranks", ctypes.POINTER(ctypes.c_int)),
        ("offsets", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.c_void_p),
        ("store", ctypes.c_void_p),
    )


def sparse_exchange(comm: Any, messages: Mapping[int, Any], algorithm: str | None = None) -> dict[int, Any]:
    """Sends `messages[dest]` to each dest, and returns what others send here, by source.

    `comm` is an intracommunicator of mpi4py; collective over it. Values are arrays, or what numpy.asarray makes one of;
    they arrive with their shape and their type, which is any but object, and need not be the same anywhere.
    `algorithm` is one of docs/use/sparse.md, the same everywhere. Raises UserError where libraddle, mpi4py or NumPy is
    missing, TypeError for arrays of objects, and mpi4py.MPI.Exception for what the MPI or libraddle objects to.
    """
    try:
        import numpy as np  # noqa: PLC0415
        from mpi4py import MPI  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise UserError(
            f"{error.name} is missing: exchanges of arrays need it.", hint=f"Install it: pip install {error.name}"
        ) from error
    exchange, free = library("Raddle_Sparse_exchange"), library("Raddle_Sparse_free")

    packed, offsets = BytesIO(), [0]
    arrays = {int(dest): np.asarray(value) for dest, value in messages.items()}
    for dest, array in arrays.items():
        if array.dtype.hasobject:
            # Before anything is sent: the others would wait for the rest.
            raise TypeError(f"the array for rank {dest} holds Python objects")
    for array in arrays.values():
        # The form of .npy files says what it is, and no pickle is in it.
        np.lib.format.write_array(packed, array, allow_pickle=False)
        offsets.append(packed.tell())

    count = len(arrays)
    ranks, places = (ctypes.c_int * max(count, 1))(*arrays), (ctypes.c_int64 * (count + 1))(*offsets)
    content = packed.getbuffer()
    data = (ctypes.c_char * len(content)).from_buffer(content) if len(content) else None
    byte = as_handle(MPI._handleof(MPI.BYTE), MPI._sizeof(MPI.Datatype))
    info = MPI.INFO_NULL if algorithm is None else MPI.Info.Create({"raddle_sparse_algorithm": algorithm})
    received = _Messages()
    try:
        code = exchange(
            data, ctypes.c_int(count), ranks, places, byte, byte,
            as_handle(MPI._handleof(info), MPI._sizeof(MPI.Info)),
            as_handle(MPI._handleof(comm), MPI._sizeof(MPI.Comm)), ctypes.byref(received),
        )  # fmt: skip
    finally:
        if info != MPI.INFO_NULL:
            info.Free()
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)
    try:
        found = {}
        for i in range(received.count):
            length = received.offsets[i + 1] - received.offsets[i]
            one = ctypes.string_at(received.data + received.offsets[i], length)
            found[received.ranks[i]] = np.lib.format.read_array(BytesIO(one), allow_pickle=False)
        return found
    finally:
        free(ctypes.byref(received))
