# SPDX-License-Identifier: BSD-3-Clause
"""What threads cost, and what lanes bring: docs/results/README.md, docs/use/lanes.md."""

from __future__ import annotations

from raddle.judge.points import ratio
from raddle.model import ResultRow, Value
from tables.cells import Rows, Run, Where, line, run, told

SUITE = "2026-11-26-thakur-gropp-2core"
LANES = "2026-11-26-msgrate-2core"
_FLOWS: Where = {"threads": 2, "placement": "node", "profile": "shared"}


def of_the_suite() -> list[str]:
    """The suite of Thakur and Gropp; above 1 threads are faster, but for what is said to be a time."""
    its = run(SUITE)
    latency: Where = {"benchmark": "thread_overhead", "bytes": 8}
    single, multiple = (_each(its, **latency, level=level) for level in ("single", "multiple"))
    lines = its.head("")
    lines.append(_times(its, "T1 latency 8 B, `MPI_THREAD_MULTIPLE` / `MPI_Init` (a time)", multiple, single))
    flows: Where = {"benchmark": "concurrent_latency", "bytes": 64, **_FLOWS}
    lines.append(_both(its, "T3 speed of two flows, threads / processes, **shared**", flows))
    rate: Where = {"benchmark": "message_rate", "mode": "published", **_FLOWS}
    lines.append(_both(its, "T4 rate of two flows as published, threads / processes, **shared**", rate))
    receive = _each(its, benchmark="blocking_receive", variant="process")
    lines.append(its.figures("CPU used by a receive that waits (process)", of=receive))
    computing = _each(its, benchmark="collective_compute", variant="process", **{"yield": 1})
    name = "T8 availability, a computing process that yields and a collective on a CPU, **shared** (1/2 is the best)"
    lines.append(its.figures(name, of=computing))
    return lines


def lanes() -> list[str]:
    """A communicator for each thread against one for all, and threads against processes."""
    its = run(LANES)
    lane, thread = (_each(its, variant=variant, **_FLOWS) for variant in ("lane", "thread"))
    clean: Where = {"threads": 1, "placement": "node", "profile": "clean"}
    processes = _each(its, variant="process", **clean)
    inside = _each(its, variant="thread", threads=1, placement="one-process", profile="clean")
    return [
        *its.head("message rate, 8 B"),
        its.ratios("lanes / one communicator, 2 x 2 threads, **shared**", of=lane, to=thread),
        its.ratios("two threads of one process / two processes, clean", of=inside, to=processes),
    ]


def lanes_and_processes() -> list[str]:
    """What lanes give: docs/use/lanes.md."""
    its = run(LANES)
    lane, thread = (_each(its, variant=variant, **_FLOWS) for variant in ("lane", "thread"))
    processes = _each(its, variant="process", **_FLOWS)
    return [
        *its.head("lanes against"),
        its.ratios("one communicator", of=lane, to=thread),
        its.ratios("four processes", of=lane, to=processes),
    ]


def _each(its: Run, **wanted: Value) -> Rows:
    return its.of_each(lambda mpi: its.one(**wanted, mpi=mpi))


def _both(its: Run, name: str, work: Where) -> str:
    return its.ratios(name, of=_each(its, **work, variant="thread"), to=_each(its, **work, variant="process"))


def _times(its: Run, name: str, of: Rows, to: Rows) -> str:
    def cell(mine: ResultRow | None, other: ResultRow | None) -> str:
        return "-" if mine is None or other is None else told(ratio(mine, other))

    return line(name, *(cell(of[mpi], to[mpi]) for mpi in its.mpis))
