# SPDX-License-Identifier: BSD-3-Clause
"""Partitioned communication: docs/evidence/partitioned-study.md."""

from __future__ import annotations

from collections.abc import Callable

from raddle.model import ResultRow
from tables.cells import Run, Where, fastest, run

RUN = "2026-11-26-partitioned-2core"
ORDERS = "2026-11-26-partitioned-orders-2core"
_WAYS = {"yes": "direct copy", "no": "in messages"}  # what RADDLE_PART_DIRECT lets it do
_SIZES = {512: "512 B", 8192: "8 KiB", 131072: "128 KiB", 8388608: "all in one"}


def bandwidth() -> list[str]:
    """Effective bandwidth of policy auto, against what the MPIs have themselves."""
    its = run(RUN)
    lines = its.head("effective bandwidth, 8 MiB, against", "")
    for size in (512, 131072):
        where: Where = {"benchmark": "partitioned_bandwidth", "partition_bytes": size, "variant": "thread"}
        name = f"partitions of {_SIZES[size]}"
        lines += _against(its, f"the MPI's own Psend, {name}", where, "psend")
        lines += _against(its, f"the best Psend of any MPI, {name}", where, "psend", of_any=True)
        lines += _against(its, f"one persistent send of all, the MPI's own, {name}", where, "bulk")
        lines += _against(its, f"the same, the best of any MPI, {name}", where, "bulk", of_any=True)
        windows = its.of_each(_any_launch(its, where, "win"))
        direct = its.of_each(_direct(its, where, "yes"))
        lines.append(its.ratios(f"puts into the MPI's window, {name}", _WAYS["yes"], of=direct, to=windows))
    return lines


def tail() -> list[str]:
    """The tail of the MPI's own Psend over that of policy auto."""
    its = run(RUN)
    lines = its.head("tail under 8 ms of computation: Psend over Raddle's", "")
    for size, count in ((131072, 64), (16384, 512)):
        where: Where = {"benchmark": "partitioned_tail", "partition_bytes": size}
        lines += _against(its, f"the MPI's own, {count} partitions", where, "psend")
        lines += _against(its, f"the best of any MPI, {count} partitions", where, "psend", of_any=True)
    return lines


def ready() -> list[str]:
    """What a call of MPI_Pready that sends nothing takes."""
    its = run(RUN)
    lines = its.head("a call of `MPI_Pready`", "threads")
    for mechanism, who in (("raddle-bulk", "Raddle's, that sends nothing"), ("psend", "the MPI's own")):
        for threads in (1, 2):
            where: Where = {"benchmark": "partitioned_ready", "threads": threads}
            lines.append(its.figures(who, str(threads), of=its.of_each(_any_launch(its, where, mechanism))))
    return lines


def orders() -> list[str]:
    """By the order in which partitions become ready, 512 B, direct copy."""
    its = run(ORDERS)
    lines = its.head("order", "against")
    names = {
        "linear": "linear",
        "inverse": "inverse",
        "random": "random",
        "stride": "every 128th",
        "neighbours": "both sides send (neighbours)",
    }
    for order, name in names.items():
        where: Where = {"benchmark": "partitioned_bandwidth", "partition_bytes": 512, "order": order}
        own = its.of_each(_direct(its, where, "yes"))
        bulk = its.of_each(_any_launch(its, where, "bulk"))
        psend = its.of_each(_any_launch(its, where, "psend"))
        lines.append(its.ratios(name, "the MPI's own Psend", of=own, to=psend))
        lines.append(its.ratios("", "one persistent send of all, the MPI's own", of=own, to=bulk))
        lines.append(its.ratios("", "the same, the best of any MPI", of=own, to=fastest(bulk)))
    return lines


def inside() -> list[str]:
    """Between two endpoints of one process, against one persistent send of all between the same two."""
    its = run(RUN)
    lines = its.head("partitions")
    for size, name in _SIZES.items():
        where: Where = {"benchmark": "partitioned_bandwidth", "partition_bytes": size, "placement": "one-process"}
        own, bulk = (
            {mpi: its.fastest(**where, mpi=mpi, mechanism=mechanism) for mpi in its.mpis}
            for mechanism in ("raddle-auto", "bulk")
        )
        lines.append(its.ratios(name, of=own, to=bulk))
    return lines


def _against(its: Run, label: str, where: Where, mechanism: str, *, of_any: bool = False) -> list[str]:
    natives = its.of_each(_any_launch(its, where, mechanism))
    return [
        its.ratios(
            label if direct == "yes" else "",
            way,
            of=its.of_each(_direct(its, where, direct)),
            to=fastest(natives) if of_any else natives,
        )
        for direct, way in _WAYS.items()
    ]


def _direct(its: Run, where: Where, direct: str) -> Callable[[str], ResultRow | None]:
    """Policy auto of an MPI, with or without direct copies."""
    return lambda mpi: its.one(**where, placement="node", mpi=mpi, mechanism="raddle-auto", direct=direct)


def _any_launch(its: Run, where: Where, mechanism: str) -> Callable[[str], ResultRow | None]:
    """A mechanism of an MPI, in the launches that allow direct copies or in the others: it is no matter to it."""

    def found(mpi: str) -> ResultRow | None:
        work: Where = {**where, "placement": "node", "mpi": mpi, "mechanism": mechanism}
        return its.one(**work, direct="yes") or its.one(**work, direct="no")

    return found
