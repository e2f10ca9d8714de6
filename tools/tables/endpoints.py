# SPDX-License-Identifier: BSD-3-Clause
"""What endpoints cost and bring beside the ping-pong: docs/results/README.md."""

from __future__ import annotations

from raddle.judge.points import best, difference, ratio
from raddle.model import ResultRow, Value
from raddle.report import numbers
from tables.cells import Rows, Run, Where, fastest, run, told

SHORT = "2026-11-29-endpoints-8B-2core"
BANDWIDTH = "2026-11-28-endpoints-bandwidth-2core"
SIZES = {65536: "64 KiB", 1048576: "1 MiB", 8388608: "8 MiB"}
OVERHEAD = "2026-11-26-ep-overhead-2core"
EVALUATION = "2026-11-26-evaluation-2core"
BETWEEN_NODES = "2026-11-28-endpoints-no-shm-2core"
OVERSUBSCRIBED = "2026-11-26-endpoints-oversubscribed-2core"


def short() -> list[str]:
    """Of 8 B, beside processes, threads and what the machine does without an MPI; what was aimed at in brackets."""
    its = run(SHORT)
    lines = its.head("8 B")
    places = {"one-process": "one process", "node": "two processes"}
    aims = {"msgrate": ("rate", "4x", "4x"), "latency": ("speed", "2x", "2x")}
    for benchmark, (name, *aimed) in aims.items():
        rival = _rival(its, benchmark)
        for (placement, place), aim in zip(places.items(), aimed, strict=True):
            mine = _endpoints(its, benchmark, placement)
            lines.append(its.ratios(f"{name} / best processes, {place} ({aim})", of=mine, to=rival))
        lines.append(
            its.ratios(
                f"{name} / processes of the same MPI, one process",
                of=_endpoints(its, benchmark),
                to=_own(its, benchmark),
            )
        )
        for variant, other in (
            ("thread", "two threads of one process"),
            ("threadcomm", "MPICH's threadcomm, one process"),
        ):
            theirs = {
                mpi: its.one(benchmark=benchmark, variant=variant, placement="one-process", mpi=mpi) for mpi in its.mpis
            }
            to = theirs if variant == "thread" else theirs["mpich"]
            lines.append(its.ratios(f"{name} / {other}", of=_endpoints(its, benchmark), to=to))
    for benchmark, name in (("msgrate", "rate"), ("latency", "latency")):
        for placement, place in places.items():
            lines.append(_to_physical(its, f"{name} / physical, {place}", placement, benchmark))
    return lines


def gives() -> list[str]:
    """The part of that which a user asks for first."""
    its = run(SHORT)
    lines = its.head("two endpoints of one process")
    for benchmark, name in (("msgrate", "rate"), ("latency", "speed (1 / latency)")):
        mine = _endpoints(its, benchmark)
        lines.append(its.ratios(f"{name} / best processes of any MPI", of=mine, to=_rival(its, benchmark)))
        lines.append(its.ratios(f"{name} / processes of the same MPI", of=mine, to=_own(its, benchmark)))
    lines.append(_to_physical(its, "latency / `physical`, a cache line from core to core", "one-process"))
    return lines


def best_processes() -> list[str]:
    """Which those are."""
    its = run(SHORT)
    rate, latency = (_rival(its, benchmark) for benchmark in ("msgrate", "latency"))
    if rate is None or latency is None:
        raise ValueError(f"{SHORT} has no processes")
    of_the_other = "" if latency.mpi == rate.mpi else f"of {its.title(latency.mpi)} "
    return [
        f"The best processes of any MPI in the run are those of {its.title(rate.mpi)} in rate ({numbers.told(rate)}) "
        f"and {of_the_other}in latency ({numbers.told(latency)})."
    ]


def _endpoints(its: Run, benchmark: str, placement: str = "one-process") -> Rows:
    return {
        mpi: its.one(benchmark=benchmark, variant="endpoint-direct", placement=placement, mpi=mpi) for mpi in its.mpis
    }


def _own(its: Run, benchmark: str) -> Rows:
    return {mpi: its.one(benchmark=benchmark, variant="process", placement="node", mpi=mpi) for mpi in its.mpis}


def _rival(its: Run, benchmark: str) -> ResultRow | None:
    """The best processes of any MPI, tuned or not."""
    found = [
        row
        for variant in ("process", "tuned")
        for row in its.find(benchmark=benchmark, variant=variant, placement="node")
    ]
    return best([row for row in found if row.ci95 is not None])


def _to_physical(its: Run, name: str, placement: str, benchmark: str = "latency") -> str:
    limit = its.fastest(benchmark=benchmark, variant="physical", placement="one-process")
    mine = _endpoints(its, benchmark, placement)
    return its.row(
        name, cell=lambda mpi: "-" if (row := mine[mpi]) is None or limit is None else told(ratio(row, limit))
    )


def bandwidth() -> list[str]:
    """Of long messages, beside the best processes and what the machine does without an MPI."""
    its = run(BANDWIDTH)
    lines = its.head("bandwidth")
    places = {"one-process": "one process", "node": "two processes"}
    works: list[tuple[str, Where]] = [
        (f"{size} / {{}}, {place}", {"benchmark": "bandwidth", "bytes": bytes_, "placement": placement})
        for placement, place in places.items()
        for bytes_, size in SIZES.items()
    ]
    for name, work in works:
        mine = {mpi: its.one(**work, mpi=mpi, variant="endpoint-direct") for mpi in its.mpis}
        rival = _best_of_bandwidth(its, work["bytes"])
        lines.append(its.ratios(name.format("best processes"), of=mine, to=rival))
    for name, work in works:
        mine = {mpi: its.one(**work, mpi=mpi, variant="endpoint-direct") for mpi in its.mpis}
        physical = its.fastest(**{**work, "placement": "one-process"}, variant="physical")  # where it always is
        if physical is not None:
            lines.append(its.ratios(name.format("physical") + " (1x)", of=mine, to=physical))
    return lines


def best_bandwidth() -> list[str]:
    """Of the processes that its ratios are to."""
    its = run(BANDWIDTH)
    found = []
    for bytes_, size in SIZES.items():
        if rival := _best_of_bandwidth(its, bytes_):
            found.append(f"at {size} of {its.title(rival.mpi)} ({numbers.told(rival)})")
    return [f"The best processes of any MPI in the run are those {', '.join(found)}."]


def _best_of_bandwidth(its: Run, bytes_: Value) -> ResultRow | None:
    work: Where = {"benchmark": "bandwidth", "bytes": bytes_, "placement": "node", "variant": "process"}
    return fastest({mpi: its.one(**work, mpi=mpi) for mpi in its.mpis})


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
