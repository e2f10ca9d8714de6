# SPDX-License-Identifier: BSD-3-Clause
"""Which pages a report has: one for each benchmark, and one for each figure that holds several against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from raddle.catalogue import catalogue
from raddle.judge.verdict import Sentence, Topic
from raddle.report.anchors import anchors
from raddle.report.data import Data
from raddle.report.figures.model import Figure
from raddle.report.matrix import Part, matrix
from raddle.report.page import NoticeLine, notices_of


@dataclass(frozen=True)
class Said:
    """What the verdict has to say about a page's benchmarks on one MPI."""

    mpi: str
    sentences: list[Sentence]


@dataclass(frozen=True)
class Page:
    """One page: `anchor` is its address, `label` its name in lists, `about` what was measured, in words."""

    anchor: str
    label: str
    title: str
    about: str
    benchmarks: list[str]
    figures: list[Figure]
    said: list[Said] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    notices: list[NoticeLine] = field(default_factory=list)

    @property
    def across(self) -> bool:
        """Whether it holds benchmarks against each other."""
        return bool(self.figures) and self.figures[0].across and len(self.benchmarks) > 1


def pages(data: Data, figures: Sequence[Figure]) -> list[Page]:
    """Benchmarks in the catalogue's order, then what holds them against each other."""
    whole = [each for each in figures if each.across and len(each.benchmarks) > 1]
    told: dict[str, list[Figure]] = {}
    for figure in (each for each in figures if each not in whole):
        told.setdefault(figure.benchmarks[0], []).append(figure)
    # A figure may tell of a second benchmark, which then needs no page of its own.
    guests = {name for own in told.values() for figure in own for name in figure.benchmarks[1:]} - told.keys()
    own = [name for name in data.benchmarks if name not in guests]
    names = anchors([*own, *(each.name for each in whole)])
    parts = matrix(data)
    found = [_page(data, name, told.get(name, []), parts, names[name]) for name in own]
    return found + [_across(each, names[each.name]) for each in whole]


def _page(data: Data, name: str, figures: Sequence[Figure], parts: Sequence[Part], anchor: str) -> Page:
    # What is about this benchmark comes before what every benchmark has.
    figures = sorted(figures, key=lambda each: each.across)
    benchmarks = list(dict.fromkeys([name, *(other for each in figures for other in each.benchmarks)]))
    known = catalogue().benchmarks.get(name)
    own = [each for each in figures if not each.across]
    return Page(
        anchor=anchor,
        label=name,
        title=own[0].heading if own else name,
        about=known.summary if known else "",
        benchmarks=benchmarks,
        figures=list(figures),
        said=_said(data, benchmarks),
        parts=[part for part in parts if part.benchmark in benchmarks],
        notices=notices_of(data, benchmarks),
    )


def _across(figure: Figure, anchor: str) -> Page:
    return Page(anchor, figure.short, figure.heading, "", figure.benchmarks, [figure])


def _said(data: Data, benchmarks: Sequence[str]) -> list[Said]:
    found = [
        Said(
            data.title(mpi),
            [
                each
                for each in data.verdict
                if each.mpi == mpi and each.benchmark in benchmarks and each.topic is not Topic.NOTHING
            ],
        )
        for mpi in data.mpis
    ]
    return [each for each in found if each.sentences]
