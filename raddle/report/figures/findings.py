# SPDX-License-Identifier: BSD-3-Clause
"""Titles that state what was found, from the data: the comparison that tells most, on every MPI, with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

from raddle.judge.points import placement, speed
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.suite import RatioOf, Rows
from raddle.report.rows import condition, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes
from raddle.wording import listed, told

# A ratio, and what it is of: an MPI, by its name.
Found = tuple[str, Ratio]
_Compared = tuple[Ratio, ResultRow]


def most_telling(data: Data, rows: Sequence[ResultRow], what: str) -> str:
    """Where threads on one communicator differ most surely from processes, and what lanes make of it there.

    Clean rows come first: a title must not rest on what the scheduler of an oversubscribed machine did.
    """
    return _telling(data, [row for row in rows if not condition(row).shared] or list(rows), what)


def clean_and_shared(data: Data, rows: Sequence[ResultRow], what: str) -> str:
    """The same for clean rows and, in words of its own, for oversubscribed ones: several flows need CPUs for each."""
    clean = [row for row in rows if not condition(row).shared]
    shared = [row for row in rows if condition(row).shared]
    said = [_telling(data, clean, what)] if clean else []
    if shared:
        last = _telling(data, shared, what)
        if said == [last]:
            return f"{last}, oversubscribed or not"
        said.append(f"oversubscribed: {last[:1].lower()}{last[1:]}" if clean else last)
    return "; ".join(said)


def each_mpi(data: Data, rows: Rows, its: RatioOf) -> list[Found]:
    """The ratio of each row that has one, under the name of its MPI."""
    return [(data.title(row.mpi), ratio) for row in rows if (ratio := its(data, row)) is not None]


def joined(parts: Sequence[str], otherwise: str) -> str:
    """Claims as one sentence; empty ones are left out, and where there are no others it is `otherwise`."""
    first, *others = [part for part in parts if part] or [otherwise]
    return "; ".join([first, *(f"{part[:1].lower()}{part[1:]}" for part in others)])


def on_each(found: Sequence[Found], claim: str, *, nothing: str, of: str = "", first: bool = False) -> str:
    """A claim about every MPI of which it is shown, with its ratio; then those of which it is not.

    The ratios stand where `claim` has `{}`, and `of` after the first of them. `nothing` names what was compared where
    no difference is shown. With `first` an MPI stands before its ratio, and the first one before all: where `of` ends
    in words that it must not be read with.
    """
    known = [(title, told(its)) for title, its in found if its.shown]
    if first:
        shown = [
            f"{'' if place == 0 else f'on {title} '}{its}{'' if place else of}"
            for place, (title, its) in enumerate(known)
        ]
        claim = f"on {known[0][0]} {claim}" if known else claim
    else:
        shown = [f"{its}{'' if place else of} on {title}" for place, (title, its) in enumerate(known)]
    same = [f"{title} ({told(its)})" for title, its in found if its.interval is not None and not its.shown]
    small = [f"{title} ({told(its)})" for title, its in found if its.interval is None]
    clauses = [claim.replace("{}", listed(shown))] if shown else []
    if same:
        clauses.append(f"no difference {'' if shown else f'{nothing} '}is shown on {listed(same)}")
    if small:
        clauses.append(f"n too small {'' if shown or same else f'to show a difference {nothing} '}on {listed(small)}")
    return _capital("; ".join(clauses))


def _telling(data: Data, rows: Sequence[ResultRow], what: str) -> str:
    found = _against_processes(data, rows, "thread")
    if not found:
        return f"{_capital(what)} by variant and MPI"
    its, row = max(found, key=lambda pair: surely(pair[0]))
    if not its.shown:
        too_small = all(each.interval is None for each, _ in found)
        return f"{_capital(what)}: {'n too small to show a difference' if too_small else 'no difference shown'}"
    threads = _by_mpi(data, found, row)
    whose = data.best_of(data.rival(row))
    processes = "the best processes" if whose else "processes"
    of = _whole(row, what, processes, threads)
    nothing = f"in {what} between threads and {processes}"
    sentence = on_each(threads, f"at {format_bytes(size(row))} threads reach {{}}", of=f" {of}", nothing=nothing)
    # Of lanes what they make of it, where there is something to make.
    affected = {other.mpi for each, other in found if each.shown and _same(other, row)}
    lanes = [pair for pair in _against_processes(data, rows, "lane") if pair[1].mpi in affected]
    if same := _by_mpi(data, lanes, row):
        told_of = on_each(same, "lanes reach {}", nothing="between lanes and processes")
        sentence += f"; {told_of[:1].lower()}{told_of[1:]}"
    where = condition(row)
    told_where = [placement(row), where.flows if where.threads > 1 else "", f"the best: {whose}" if whose else ""]
    return f"{sentence} ({', '.join(filter(None, told_where))})"


def _whole(row: ResultRow, what: str, processes: str, found: Sequence[Found]) -> str:
    """Of what the ratios are: `0.40x of the rate of processes`, `3x the rate`; of times it is the speed."""
    part = next((its.estimate < 1 for _, its in found if its.shown), False)
    return f"{'of ' if part else ''}the {'speed' if row.better == 'lower' else what} of {processes}"


def _same(row: ResultRow, other: ResultRow) -> bool:
    """The same point, on whatever MPI."""
    return row.params == other.params and row.profile == other.profile


def _by_mpi(data: Data, found: Sequence[_Compared], like: ResultRow) -> list[Found]:
    """That point on every MPI that has it."""
    return [(data.short(mpi), its) for mpi in data.mpis for its, row in found if row.mpi == mpi and _same(row, like)]


def _capital(text: str) -> str:
    """As a sentence begins; n is a symbol and stays."""
    return text if text.startswith("n ") else text[:1].upper() + text[1:]


def _against_processes(data: Data, rows: Sequence[ResultRow], variant: str) -> list[_Compared]:
    """Every row of a variant by how many times faster it is than the best processes doing the same work."""
    own = [(row, data.rival(row)) for row in rows if row.variant == variant]
    return [(its, row) for row, process in own if process is not None and (its := speed(row, process)) is not None]


def surely(its: Ratio) -> float:
    """How far from 1 the near end of the interval is: a wide interval far away tells less than a narrow one nearby."""
    if not its.shown or its.interval is None:
        return 0.0
    return min(abs(math.log(end)) for end in its.interval)
