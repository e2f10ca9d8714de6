# SPDX-License-Identifier: BSD-3-Clause
"""The file of a process, as src/profile/layout.hpp has it: who changes one changes the other, and the version."""

from __future__ import annotations

import numpy as np

MAGIC = b"RADDLEPF"
VERSION = 1
TRACE_MAGIC = b"RADDLETR"
TRACE_VERSION = 1
SUFFIX = ".prof"
TRACE_SUFFIX = ".prof.trace"

BINS = 256
SIZE_CLASSES = 42
MOST_THREADS = 256
MOST_ROWS = 1024
DURATION_CLASSES = 33
NAME_BYTES = 64

STARTING, RUNNING, FINALIZED, EXITED, ABORTED = range(5)
HOW = {RUNNING: "running", FINALIZED: "finalized", EXITED: "exited", ABORTED: "aborted"}
LEVELS = ("single", "funneled", "serialized", "multiple")
LOCK_KINDS = ("mutex", "spin", "rwlock", "condition", "semaphore")

_TIMELINE = np.dtype([("origin", "u8"), ("shift", "u4"), ("reserved", "u4"), ("bin", "u8", (2, BINS))])

PROCESS = np.dtype(
    [
        ("magic", "S8"),
        ("version", "u4"),
        ("functions", "u4"),
        ("functions_at", "u8"),
        ("communicators_at", "u8"),
        ("threads_at", "u8"),
        ("communicator_bytes", "u8"),
        ("thread_bytes", "u8"),
        ("file_bytes", "u8"),
        ("state", "u4"),
        ("pid", "i4"),
        ("rank", "i4"),
        ("size", "i4"),
        ("requested", "i4"),
        ("provided", "i4"),
        ("cpus", "i4"),
        ("counter", "u4"),
        ("host", "S64"),
        ("boot", "S40"),
        ("engine", "S16"),
        ("library", "S128"),
        ("first_ticks", "u8"),
        ("first_nanoseconds", "u8"),
        ("last_ticks", "u8"),
        ("last_nanoseconds", "u8"),
        ("cpu", "u8"),
        ("call_cost", "f8"),
        ("lost", "u8"),
        ("threads", "u4"),
        ("communicators", "u4"),
        ("looks", "u8"),
        ("with", "u8", (MOST_THREADS + 1,)),
        ("concurrency", _TIMELINE),
    ]
)


def _thinned(entry: np.dtype[np.void], places: int) -> np.dtype[np.void]:
    return np.dtype([("stride", "u8"), ("used", "u4"), ("closed", "u4"), ("entry", entry, (places,))])


def _table(entry: np.dtype[np.void], places: int) -> np.dtype[np.void]:
    return np.dtype([("used", "u4"), ("reserved", "u4"), ("entry", entry, (places,))])


GATHERING = np.dtype(
    [("number", "u8"), ("began", "u8"), ("ended", "u8"), ("root", "i4"), ("function", "u2"), ("thread", "u2")]
)
COMMUNICATOR = np.dtype(
    [
        ("key", "u8"),
        ("rank", "i4"),
        ("size", "i4"),
        ("name", "S64"),
        ("endpoint", "u4"),
        ("matches", "u4"),
        ("inter", "u4"),
        ("reserved", "u4"),
        ("collectives", "u8"),
        ("log", _thinned(GATHERING, 512)),
    ]
)

ROW = np.dtype(
    [
        ("key", "u8"),
        ("calls", "u8"),
        ("ticks", "u8"),
        ("longest", "u8"),
        ("lock_ticks", "u8"),
        ("lock_waits", "u8"),
        ("bytes", "u8"),
        ("sizes", "u8", (SIZE_CLASSES,)),
    ]
)
STREAM = np.dtype(
    [
        ("key", "u8"),
        ("messages", "u8"),
        ("bytes", "u8"),
        ("peer", "i4"),
        ("tag", "i4"),
        ("communicator", "u2"),
        ("receives", "u2"),
        ("unsure", "u4"),
    ]
)
PASSED = np.dtype(
    [
        ("number", "u8"),
        ("posted", "u8"),
        ("began", "u8"),
        ("ended", "u8"),
        ("stream", "u4"),
        ("function", "u2"),
        ("size", "u1"),
        ("synchronous", "u1"),
    ]
)
BESIDE = np.dtype(
    [
        ("key", "u8"),
        ("calls", "u8"),
        ("ticks", "u8"),
        ("squares", "f8"),
        ("least", "u8"),
        ("function", "u2"),
        ("size", "u2"),
        ("inside", "u4"),
    ]
)
LOCK_WAITS = np.dtype([("waits", "u8"), ("ticks", "u8")])

THREAD = np.dtype(
    [
        ("inside", "u8"),
        ("since", "u8"),
        ("apart", "u8", (6,)),
        ("tid", "i4"),
        ("gone", "u4"),
        ("name", "S16"),
        ("rank", "i4"),
        ("reserved", "u4"),
        ("began", "u8"),
        ("ended", "u8"),
        ("cpu_began", "u8"),
        ("cpu_ended", "u8"),
        ("preempted_began", "u8"),
        ("preempted", "u8"),
        ("moved", "u8"),
        ("lost", "u8"),
        ("lost_messages", "u8"),
        ("trace_lost", "u8"),
        ("all_ticks", "u8", (DURATION_CLASSES,)),
        ("sampled_ticks", "u8", (DURATION_CLASSES,)),
        ("sampled_cpu", "u8", (DURATION_CLASSES,)),
        ("spare", ROW),
        ("timeline", _TIMELINE),
        ("locks", LOCK_WAITS, (MOST_THREADS + 1, len(LOCK_KINDS))),
        ("beside", _table(BESIDE, 512)),
        ("rows_used", "u4"),
        ("rows_reserved", "u4"),
        ("row", ROW, (MOST_ROWS,)),
        ("streams", _table(STREAM, 2048)),
        ("passed", _thinned(PASSED, 4096)),
    ]
)

TRACE = np.dtype(
    [
        ("magic", "S8"),
        ("version", "u4"),
        ("event_bytes", "u4"),
        ("piece_bytes", "u8"),
        ("pieces", "u8"),
        ("taken", "u8"),
    ]
)
TRACE_FRONT = 4096
PIECE = np.dtype([("thread", "u4"), ("reserved", "u4"), ("events", "u8")])
EVENT = np.dtype(
    [
        ("began", "u8"),
        ("took", "u8"),
        ("function", "u4"),
        ("communicator", "u4"),
        ("bytes", "u8"),
        ("lock", "u8"),
        ("peer", "i4"),
        ("reserved", "u4"),
    ]
)
