# SPDX-License-Identifier: BSD-3-Clause
"""What endpoints cost and bring beside the ping-pong: docs/results/README.md."""

from __future__ import annotations

from raddle.judge.points import difference
from raddle.report import numbers
from tables.cells import Run, Where, fastest, run

BANDWIDTH = "2026-11-27-endpoints-bandwidth-2core"
OVERHEAD = "2026-11-26-ep-overhead-2core"
EVALUATION = "2026-11-26-evaluation-2core"
BETWEEN_NODES = "2026-11-28-endpoints-no-shm-2core"
OVERSUBSCRIBED = "2026-11-26-endpoints-oversubscribed-2core"


def bandwidth() -> list[str]:
    """Of long messages, beside the best processes and what the machine does without an MPI."""
    its = run(BANDWIDTH)
    lines = its.head("bandwidth")
    places = {"one-process": "one process", "node": "two processes"}
    sizes = {65536: "64 KiB", 1048576: "1 MiB", 8388608: "8 MiB"}
    works: list[tuple[str, Where]] = [
        (f"{size} / {{}}, {place}", {"benchmark": "bandwidth", "bytes": bytes_, "placement": placement})
        for placement, place in places.items()
        for bytes_, size in sizes.items()
    ]
    for name, work in works:
        mine = {mpi: its.one(**work, mpi=mpi, variant="endpoint-direct") for mpi in its.mpis}
        rival = fastest({mpi: its.one(**{**work, "placement": "node"}, mpi=mpi, variant="process") for mpi in its.mpis})
        lines.append(its.ratios(name.format("best processes"), of=mine, to=rival))
    for name, work in works:
        mine = {mpi: its.one(**work, mpi=mpi, variant="endpoint-direct") for mpi in its.mpis}
        physical = its.fastest(**{**work, "placement": "one-process"}, variant="physical")  # where it always is
        if physical is not None:
            lines.append(its.ratios(name.format("physical") + " (1x)", of=mine, to=physical))
    return lines


def overhead() -> list[str]:
    """What an engine adds to an operation."""
    its = run(OVERHEAD)
    lines = its.head("")
    for variant, name in (("endpoint-direct", "direct engine"), ("endpoint-proxy", "proxy engine (at most 320 ns)")):

        def added(mpi: str, variant: str = variant) -> str:
            mine, own = (its.one(benchmark="ep_overhead", variant=each, mpi=mpi) for each in (variant, "process"))
            found = None if mine is None or own is None else difference(mine, own)
            return "-" if found is None or own is None else numbers.difference_text(found, own.unit)

        lines.append(its.row(name, cell=added))
    return lines


def evaluation() -> list[str]:
    """The direct engine against processes, two contexts."""
    its = run(EVALUATION)
    lines = its.head("direct engine / processes", "of")
    works: dict[str, Where] = {
        "throughput, 64 B": {"benchmark": "ep_throughput", "bytes": 64},
        "FFT exchange, 64 B": {"benchmark": "fft_exchange", "bytes": 64},
        "FFT exchange, 4 KiB": {"benchmark": "fft_exchange", "bytes": 4096},
        "FFT exchange, 64 KiB": {"benchmark": "fft_exchange", "bytes": 65536},
        "Dslash, 4x4x4x8": {"benchmark": "dslash", "extent": 4},
        "Dslash, 8x8x8x16": {"benchmark": "dslash", "extent": 8},
    }
    for name, work in works.items():
        lines += _both(its, name, {**work, "profile": "clean", "placement": "node"})
    return lines


def between_nodes() -> list[str]:
    """Endpoints of two processes without shared memory."""
    its = run(BETWEEN_NODES)
    lines = its.head("no-shm", "processes of")
    for name, work in _WORKS.items():
        lines += _both(its, name, {**work, "placement": "no-shm"})
    return lines


def oversubscribed() -> list[str]:
    """Four endpoints on two CPUs, beside four processes."""
    its = run(OVERSUBSCRIBED)
    lines = its.head("4 endpoints of one process", "4 processes of")
    for name, work in list(_WORKS.items())[:2]:
        lines += _both(its, name, {**work, "placement": "one-process"})
    return lines


_WORKS: dict[str, Where] = {
    "rate, 8 B": {"benchmark": "msgrate", "bytes": 8},
    "speed (1 / latency), 8 B": {"benchmark": "latency", "bytes": 8},
    "bandwidth, 64 KiB": {"benchmark": "bandwidth", "bytes": 65536},
}


def _both(its: Run, name: str, work: Where) -> list[str]:
    """Against processes of the same MPI, and the best of any. Processes are never in one process."""
    place = "node" if work["placement"] == "one-process" else work["placement"]
    own = {mpi: its.one(**{**work, "placement": place}, mpi=mpi, variant="process") for mpi in its.mpis}
    mine = {mpi: its.one(**work, mpi=mpi, variant="endpoint-direct") for mpi in its.mpis}
    rival = fastest(own)
    return [
        its.ratios(name, "the same MPI", of=mine, to=own),
        its.ratios("", f"any, the best: {its.title(rival.mpi)}" if rival else "any", of=mine, to=rival),
    ]
