# SPDX-License-Identifier: BSD-3-Clause
"""The verdict for a machine in at most five sentences, the most important first, each about all its MPIs at once.

A question, such as what threads cost in latency, is asked of every MPI; the answer is one sentence. Each topic gets a
sentence before any gets a second one, and so does each benchmark that no topic speaks of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from raddle.judge.points import RIVALS, placement, whole
from raddle.judge.sentence import Comparison, Topic
from raddle.model import NO_MPI
from raddle.report.data import Data
from raddle.report.figures.findings import on_each, surely
from raddle.report.figures.model import Figure
from raddle.report.matrix import Line, Part, matrix
from raddle.report.params import is_reference, way
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes

MOST = 5
ONLY_LIMITS = "No MPI was measured: this is what the machine does without one."
NOTHING = "No two ways of doing the same work were measured, so there is nothing to compare."
_ORDER = list(Topic)
# Sentences kept for benchmarks of which no topic speaks.
_SEATS = 2


@dataclass(frozen=True)
class Sentence:
    """One sentence; `benchmark` is what it is about, empty when that is nothing in particular."""

    text: str
    shared: bool
    benchmark: str


@dataclass(frozen=True)
class _Question:
    """What is asked of every MPI, and the answers in the order of the MPIs."""

    topic: Topic
    benchmark: str
    answers: list[tuple[str, Comparison]]

    @property
    def shared(self) -> bool:
        return self.answers[0][1].row.profile == "shared"

    @property
    def ratios(self) -> list[Ratio]:
        return [each.ratio for _, each in self.answers]

    @property
    def tier(self) -> int:
        """What is sure before what is not, a CPU for every thread before an oversubscribed machine."""
        if all(its.interval is None for its in self.ratios):
            return 4
        return 2 * (not any(its.shown for its in self.ratios)) + self.shared

    @property
    def surest(self) -> float:
        return max(map(surely, self.ratios))

    @property
    def gain(self) -> float:
        """How much faster on the MPI that it helps least, as a logarithm."""
        return min(math.log(its.estimate) for its in self.ratios)


def five(data: Data, figures: Sequence[Figure]) -> list[Sentence]:
    """The sentences; where nothing can be compared, one that says so."""
    questions = _questions(data)
    first = _first_of_each(questions)
    others = list(_of_others(data, figures, {each.benchmark for each in first if each.topic is not Topic.LIMIT}))
    chosen = first[: MOST - min(len(others), _SEATS)]
    others = others[: MOST - len(chosen)]
    chosen += [each for each in questions if each not in chosen][: MOST - len(chosen) - len(others)]
    chosen.sort(key=lambda each: (each.tier, _ORDER.index(each.topic)))
    limits = [each for each in chosen if each.topic is Topic.LIMIT]
    sentences = [_sentence(each) for each in chosen if each not in limits] + others
    sentences += [_sentence(each) for each in limits]
    return sentences or [Sentence(NOTHING if data.rows and data.mpis != [NO_MPI] else ONLY_LIMITS, False, "")]


def _questions(data: Data) -> list[_Question]:
    """All that the verdict answers, the most important of each topic first, topics in their order."""
    found: dict[tuple[object, ...], list[tuple[str, Comparison]]] = {}
    for sentence in data.verdict:
        for each in sentence.comparisons:
            row = each.row
            place = "" if each.topic is Topic.LIMIT else placement(row)
            against = (each.other, each.whose)
            asked = (each.topic, row.benchmark, each.subject, against, row.profile, whole(row, "bytes"), place)
            found.setdefault(asked, []).append((data.short(sentence.mpi), each))
    questions = [_Question(answers[0][1].topic, answers[0][1].row.benchmark, answers) for answers in found.values()]
    threads = sorted((each for each in questions if each.topic is Topic.THREADS), key=_weight)
    told = [each.benchmark for each in threads[:1]]

    def order(each: _Question) -> tuple[object, ...]:
        if each.topic is not Topic.INSTEAD:
            return (_ORDER.index(each.topic), *_weight(each))
        # What helps is told of the work of which the cost is told, and of what is there on most MPIs.
        return (_ORDER.index(each.topic), each.benchmark not in told, -len(each.answers), -each.gain)

    return sorted(questions, key=order)


def _weight(each: _Question) -> tuple[object, ...]:
    return (each.tier, -len(each.answers), -each.surest)


def _first_of_each(questions: Sequence[_Question]) -> list[_Question]:
    first = {each.topic: each for each in reversed(questions)}
    return sorted(first.values(), key=lambda each: (each.tier, _ORDER.index(each.topic)))


def _sentence(each: _Question) -> Sentence:
    claim, of, nothing = _claim(each.answers[0][1])
    found = [(title, its.ratio) for title, its in each.answers]
    if each.topic is Topic.LIMIT:
        text = on_each(found, claim, of=f" {of}", nothing=nothing, first=True)
    else:
        text = _on_each(found, claim, of, nothing) + _whose(each.answers[0][1].other, each.answers[0][1].whose)
    return Sentence(f"{text}.", each.shared, each.benchmark)


def _whose(best: str, mpi: str) -> str:
    """Behind the ratios, which already are about several MPIs."""
    return f"; {best} here are those of {mpi}" if mpi else ""


def _on_each(found: Sequence[tuple[str, Ratio]], claim: str, whole_of: str, nothing: str) -> str:
    """Of what the ratios are stands once, after the first one: `0.40x of the rate of processes`, `3x the rate`."""
    part = next((its.estimate < 1 for _, its in found if its.shown), False)
    return on_each(found, claim, of=f" {'of ' if part else ''}{whole_of}", nothing=nothing)


def _claim(one: Comparison) -> tuple[str, str, str]:
    """The claim with a place for the ratios, of what they are, and what is compared where no difference is shown."""
    if one.topic is Topic.LIMIT:
        without = "the same work without an MPI"
        return f"{one.subject} is {{}}", f"that of {without}", f"between {one.subject} and {without}"
    at = f" at {format_bytes(whole(one.row, 'bytes'))}" if "bytes" in one.row.params else ""
    nothing = f"in {one.quantity} between {one.subject} and {one.other}{at}"
    what = "speed" if one.row.better == "lower" else one.quantity
    return f"{one.subject} reach {{}}", f"the {what} of {one.other}{at}", nothing


def _of_others(data: Data, figures: Sequence[Figure], spoken: set[str]) -> Iterator[Sentence]:
    """What was found in benchmarks of which no topic speaks: their figure's finding, or their surest comparison."""
    parts = matrix(data)
    for benchmark in (each for each in data.benchmarks if each not in spoken):
        own = [each for each in figures if not each.across and each.benchmarks[:1] == [benchmark]]
        finding = next((each.finding for each in own if " [" in each.finding), "")
        shared = all(panel.shared for each in own for panel in each.panels)
        if finding:
            yield Sentence(f"{finding}.", shared, benchmark)
        elif sentence := _surest(data, [part for part in parts if part.benchmark == benchmark]):
            yield sentence


def _surest(data: Data, parts: Sequence[Part]) -> Sentence | None:
    """The way of doing this benchmark's work that differs most surely from processes, on every MPI."""
    lines = [
        (part, line)
        for part in parts
        for line in part.lines
        if any(cell.ratio and cell.row and not is_reference(cell.row) for cell in line.cells)
    ]
    if not lines:
        return None
    part, line = min(lines, key=lambda pair: (pair[0].shared, -len(_ratios(pair[1])), -max(_ratios(pair[1]))))
    found = [(data.short(mpi), cell.ratio) for mpi, cell in zip(data.subjects, line.cells, strict=True) if cell.ratio]
    work = f"{part.benchmark} ({part.work})" if part.work else part.benchmark
    subject = line.label if line.placement in part.work else f"{line.label} ({line.placement})"
    rival = next(cell.process for cell in line.cells if cell.ratio and cell.process)
    plainest = way(rival)
    other = "processes" if plainest in RIVALS else plainest
    if part.against:
        other = f"the best {other}"
    nothing = f"between {subject} and {other} in {work}"
    text = _on_each(found, f"in {work} {subject} reaches {{}}", f"the speed of {other}", nothing)
    return Sentence(f"{text}{_whose(other, part.against)}.", part.shared, part.benchmark)


def _ratios(line: Line) -> list[float]:
    return [surely(cell.ratio) for cell in line.cells if cell.ratio]
