# SPDX-License-Identifier: BSD-3-Clause
"""What users expect of threads, after section 3 of Thakur and Gropp's paper, judged for every MPI.

An expectation is met, or not met, when the whole interval is on that side of its limit; else it is not shown, which
is also all that can be said when n is too small. The limits are ours: the paper says "relatively low", "simultaneously"
and "excessive".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from raddle.judge.points import ratio, whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import Figures, extra
from raddle.report.params import way
from raddle.report.rows import condition, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes
from raddle.wording import told, too_small

# Latency under MPI_THREAD_MULTIPLE as a multiple of that after plain MPI_Init.
DEAREST_LEVEL = 1.1
# Speed of threads as a multiple of that of processes.
SLOWEST_THREADS = 0.8
# Share of short messages that are delayed with threads and would not be with processes.
MOST_DELAYED = 0.01
# CPU time of a waiting receive, in per cent of a CPU.
MOST_CPU = 10.0


class Judgement(str, Enum):
    """What the intervals allow to say, the worst first: of several measures of one thing the worst one counts."""

    NOT_MET = "not met"
    NOT_SHOWN = "not shown"
    MET = "met"


@dataclass(frozen=True)
class Measure:
    """One number that an expectation is judged by, in words."""

    text: str
    judgement: Judgement
    shared: bool


@dataclass(frozen=True)
class Expectation:
    """One of the three for one MPI; `RULES` says what decides."""

    name: str
    measures: list[Measure]

    @property
    def judgement(self) -> Judgement:
        present = {measure.judgement for measure in self.measures}
        return next(each for each in Judgement if each in present)

    @property
    def shared(self) -> bool:
        """Whether any of it holds for oversubscribed machines only."""
        return any(measure.shared for measure in self.measures)


@dataclass(frozen=True)
class Card:
    """What is expected of one MPI."""

    mpi: str
    expectations: list[Expectation]


def cards(data: Data) -> list[Card]:
    """One for each MPI of which something was measured that decides."""
    found = [Card(data.title(mpi), list(_expectations(data, mpi))) for mpi in data.mpis]
    return [card for card in found if card.expectations]


RULES = {
    "cost of thread safety": "MPI_THREAD_MULTIPLE adds at most "
    f"{100 * (DEAREST_LEVEL - 1):.0f} % to the latency of one thread",
    "concurrent progress": f"threads reach {SLOWEST_THREADS:g}x of the speed of processes or more, and no more than "
    f"{100 * MOST_DELAYED:.0f} % more of their short messages are delayed tenfold by long ones",
    "waiting without burning CPU": f"a receive that waits uses at most {MOST_CPU:.0f} % of a CPU",
}


def counted(found: Sequence[Card]) -> str:
    """`Of 9 expectations 3 are met, 5 not met, 1 not shown`."""
    judged = [each.judgement for card in found for each in card.expectations]
    return f"Of {len(judged)} expectations {counts(judged)}"


def counts(judged: Sequence[Judgement]) -> str:
    """`3 met, 5 not met, 1 not shown`; what did not occur goes without saying."""
    return ", ".join(f"{judged.count(each)} {each.value}" for each in reversed(Judgement) if each in judged)


def _expectations(data: Data, mpi: str) -> Iterator[Expectation]:
    for name, measures in zip(RULES, (_cost, _progress, _blocking), strict=True):
        if found := list(measures(data, mpi)):
            yield Expectation(name, found)


def _cost(data: Data, mpi: str) -> Iterator[Measure]:
    row = _best(_rows(data, "thread_overhead", mpi, "multiple"))
    single = data.process(row) if row else None
    if row and single and (its := ratio(row, single)) is not None:
        text = f"latency {_told(its)} of that after plain MPI_Init at {format_bytes(size(row))}"
        yield Measure(text, at_most(DEAREST_LEVEL, its.interval), condition(row).shared)


def _progress(data: Data, mpi: str) -> Iterator[Measure]:
    for benchmark, quantity in (("message_rate", "message rate"), ("concurrent_latency", "speed of ping-pongs")):
        row = _best([row for row in _rows(data, benchmark, mpi, "thread") if whole(row, "threads", 1) > 1])
        process = data.process(row) if row else None
        if row and process and (its := data.speed(row, process)) is not None:
            text = f"{quantity} {_told(its)} of processes, {condition(row).flows}"
            yield Measure(text, at_least(SLOWEST_THREADS, its.interval), condition(row).shared)
    row = _best([row for row in _rows(data, "short_long", mpi, "thread") if whole(row, "long_bytes")])
    if row and (more := _more_delayed(data, row)) is not None:
        share = numbers.beside(more.value, more.bounds)
        text = f"share of short messages that long ones delay tenfold: {share} above that with processes"
        yield Measure(text, at_most(MOST_DELAYED, more.interval), condition(row).shared)


def _more_delayed(data: Data, row: ResultRow) -> Figures | None:
    """The share of delayed messages beyond that of processes, block by block."""
    process = data.process(row)
    own, its = extra(row, "delayed", ""), extra(process, "delayed", "") if process else None
    if own is None or its is None:
        return None
    both = {block: value - its.blocks[block] for block, value in own.blocks.items() if block in its.blocks}
    return Figures(both, "fraction") if both else None


def _blocking(data: Data, mpi: str) -> Iterator[Measure]:
    row = _best(_rows(data, "blocking_receive", mpi, "thread")) or _best(
        _rows(data, "blocking_receive", mpi, "process")
    )
    if row:
        text = f"MPI_Recv uses {numbers.spoken(row)} of a CPU while it waits"
        yield Measure(text, at_most(MOST_CPU, row.ci95), condition(row).shared)


def _rows(data: Data, benchmark: str, mpi: str, how: str) -> list[ResultRow]:
    return [row for row in data.headline(benchmark) if row.mpi == mpi and way(row) == how]


def _best(rows: Sequence[ResultRow]) -> ResultRow | None:
    """The row that tells most: clean before shared, as usual before otherwise, then most flows."""
    return min(
        rows,
        key=lambda row: (condition(row).shared, len(condition(row).rest), -whole(row, "threads", 1)),
        default=None,
    )


def at_most(limit: float, interval: tuple[float, float] | None) -> Judgement:
    """What an interval says of a value that should not exceed a limit."""
    if interval is None or interval[0] <= limit < interval[1]:
        return Judgement.NOT_SHOWN
    return Judgement.MET if interval[1] <= limit else Judgement.NOT_MET


def at_least(limit: float, interval: tuple[float, float] | None) -> Judgement:
    """The same of a value that should reach one."""
    if interval is None or interval[0] < limit <= interval[1]:
        return Judgement.NOT_SHOWN
    return Judgement.MET if interval[0] >= limit else Judgement.NOT_MET


def _told(its: Ratio) -> str:
    return told(its) if its.interval else f"{told(its)} ({too_small(its)})"
