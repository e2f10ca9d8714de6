# SPDX-License-Identifier: BSD-3-Clause
"""A sentence of the verdict, and how rows become one. Which rows are worth one is for `raddle/judge/verdict.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from raddle.judge.points import placement, ratio, speed, whole
from raddle.model import PHYSICAL, ResultRow
from raddle.notices import Notice
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes, format_value
from raddle.wording import against, alternative, assignments, compared, listed, told, too_small

Environments = Mapping[str, Mapping[str, str]]
"""What raddle set in the environment of each launch, by its id (`raddle.results.launch_log.launch_env`)."""

Named = tuple[ResultRow, str]
"""A row and what it is called in a sentence, plural."""


class Best(NamedTuple):
    """What a comparison is held against: the row, its name in a sentence, and whose it is where MPIs had a choice."""

    row: ResultRow
    name: str
    whose: str = ""

    @property
    def named(self) -> Named:
        """E.g. `the best two processes here, those of Open MPI 4.1.4 (Debian)`."""
        return self.row, f"{self.name} here, those of {self.whose}" if self.whose else self.name


# With these a row does not describe what its name says; a sentence on it must not stand without a warning.
_SPOILED = (Notice.ONE_CPU, Notice.MIXED_VERSIONS)
_SHARED = " This is profile shared: more busy threads than CPUs, so it holds for oversubscribed machines only."


class Topic(str, Enum):
    """What a sentence is about, in the order in which sentences stand."""

    THREADS = "threads"  # threads of one process against processes
    INSTEAD = "instead"  # what else could serve those threads, against the same processes
    LANES = "lanes"  # a communicator for each thread against one shared one: seed 000's finding
    LEVEL = "level"  # what MPI_THREAD_MULTIPLE costs a single thread
    PARTITIONED = "partitioned"  # one buffer in partitions: Raddle against the MPI's own
    SPARSE = "sparse"  # messages that nobody expects: Raddle against collectives
    LIMIT = "limit"  # the distance to `physical`
    NOTHING = "nothing"  # no comparison was possible


@dataclass(frozen=True)
class Comparison:
    """One ratio that a sentence tells, and between what: all that it takes to tell it of several MPIs at once.

    Above 1 is better, but for the distance to `physical`, which is as measured.
    """

    topic: Topic
    quantity: str
    subject: str  # plural, as `other` is
    other: str
    ratio: Ratio
    row: ResultRow
    whose: str = ""  # the MPI of `other`, where there was a choice


@dataclass(frozen=True)
class Sentence:
    """One finding about one MPI. `ratio` is the first one it tells, `rows` all that it rests on, the subject first."""

    text: str
    mpi: str
    topic: Topic
    ratio: Ratio | None
    rows: tuple[ResultRow, ...]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def benchmark(self) -> str:
        """The benchmark whose figure shows this; empty for a sentence without rows."""
        return self.rows[0].benchmark if self.rows else ""

    @property
    def shared(self) -> bool:
        """Whether it holds for oversubscribed machines only."""
        return any(row.profile == "shared" for row in self.rows)


@dataclass(frozen=True)
class Narrator:
    """Speaks about one MPI, which it calls `title`."""

    mpi: str
    title: str
    env: Environments

    def compare(
        self,
        topic: Topic,
        quantity: str,
        one: Named,
        other: Best,
        *,
        alternatives: Mapping[str, ResultRow] | None = None,
        beside: tuple[str, Named] | None = None,
        lane: ResultRow | None = None,
        thread: ResultRow | None = None,
    ) -> Sentence:
        """`one` against `other`; then each alternative to `one` against `other`.

        `beside` is a short name for `one` and another row to hold it against. When `lane` is shown to beat `thread`,
        the setting that this takes is named.
        """
        (a, subject), (b, object_) = one, other.named
        found, rows = speed(a, b), [a, b]
        if found is None:
            text = f"On {self.title} {subject} and {object_} cannot be compared: no block measured both."
            return self._say(text, topic, None, rows)
        size = format_bytes(whole(a, "bytes"))
        clauses = [f"{compared(subject, object_, quantity, a.better, found)}, {against(a, b)} at {size}"]
        told_of = [Comparison(topic, quantity, subject, other.name, found, a, other.whose)]
        for name, row in (alternatives or {}).items():
            if (its := speed(row, b)) is not None:
                clauses.append(alternative(name, its))
                rows.append(row)
                if topic is Topic.THREADS:
                    told_of.append(Comparison(Topic.INSTEAD, quantity, name, other.name, its, row, other.whose))
        if beside:
            short, (row, name) = beside
            if (its := speed(a, row)) is not None:
                clauses.append(compared(short, name, quantity, a.better, its))
                rows.append(row)
        advice = self._advice(lane, thread) if lane and thread else ""
        return self._say(f"On {self.title} {'; '.join(clauses)}.{advice}", topic, found, rows, told_of)

    def limit(self, quantity: str, best: ResultRow, limit: ResultRow) -> Sentence | None:
        """How far the best row is from `physical`; none when no block has both."""
        found = ratio(best, limit)
        if found is None:
            return None
        claim = told(found)
        if found.interval is None:
            claim += f" ({too_small(found)})"
        elif not found.shown:
            claim += f" ({found.words})"
        text = (
            f"The best {quantity} of {self.title} for one pair at {format_bytes(whole(best, 'bytes'))}, "
            f"{format_value(best.median, best.unit)} ({best.variant}, {placement(best)}), is {claim} "
            f"that of {PHYSICAL} (the same work without an MPI: {format_value(limit.median, limit.unit)})."
        )
        size = format_bytes(whole(best, "bytes"))
        told_of = Comparison(Topic.LIMIT, quantity, f"the best {quantity} for one pair at {size}", "", found, best)
        return self._say(text, Topic.LIMIT, found, [best, limit], [told_of])

    def nothing(self) -> Sentence:
        """Said instead of silence."""
        text = (
            f"On {self.title} there is no verdict: threads, lanes and processes did not do the same work. "
            "The ratios have the rest."
        )
        return self._say(text, Topic.NOTHING, None, [])

    def _advice(self, lane: ResultRow, thread: ResultRow) -> str:
        """What has to be set for lanes, if they are shown to help; softer while n is too small to show it."""
        gain = speed(lane, thread)
        if gain is None or gain.estimate <= 1 or not (gain.shown or gain.interval is None):
            return ""
        own, without = self._environment(lane), self._environment(thread)
        settings = {name: value for name, value in own.items() if without.get(name) != value}
        if not settings:
            return ""
        return f" {'Set' if gain.shown else 'Worth a try: set'} {assignments(settings)}."

    def _environment(self, row: ResultRow) -> Mapping[str, str]:
        return next((self.env[launch] for launch in row.launches if launch in self.env), {})

    def _say(
        self,
        text: str,
        topic: Topic,
        found: Ratio | None,
        rows: Sequence[ResultRow],
        comparisons: Sequence[Comparison] = (),
    ) -> Sentence:
        if any(row.profile == "shared" for row in rows):
            text += _SHARED
        spoiled = [notice.value for notice in _SPOILED if any(notice in row.flags for row in rows)]
        if spoiled:
            text += f" It rests on rows flagged {listed(spoiled)}: do not trust it."
        return Sentence(text, self.mpi, topic, found, tuple(rows), tuple(comparisons))
