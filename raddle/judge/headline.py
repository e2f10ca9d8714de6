# SPDX-License-Identifier: BSD-3-Clause
"""The rows that stand for a benchmark where only one point can be shown or told of."""

from __future__ import annotations

from collections.abc import Iterable

from raddle.catalogue import catalogue
from raddle.judge.points import whole
from raddle.model import NO_MPI, Params, ResultRow, Value

_BYTES = 8  # where a benchmark says nothing of its own


def headline_params(benchmark: str) -> Params:
    """A benchmark's own parameters that stand for it; none for one that the catalogue does not know."""
    return {name: value for name, value in _declared(benchmark).items() if name != "bytes"}


def headline_size(rows: Iterable[ResultRow], benchmark: str) -> int | None:
    """The measured size nearest to the one that people quote for this benchmark; none without rows."""
    wanted = _declared(benchmark).get("bytes", _BYTES)
    own = [row for row in rows if row.benchmark == benchmark]
    sizes = {whole(row, "bytes") for row in own if row.mpi != NO_MPI} or {whole(row, "bytes") for row in own}
    return min(sizes, key=lambda each: (abs(each - float(wanted)), each), default=None)


def headline(rows: Iterable[ResultRow], benchmark: str) -> list[ResultRow]:
    """The rows at that size, of every variant, MPI and condition; the physical probe's included.

    Of a benchmark's own parameters those are taken that stand for it, or what was measured nearest to them.
    """
    rows = list(rows)
    wanted = headline_size(rows, benchmark)
    found = [row for row in rows if row.benchmark == benchmark and whole(row, "bytes") == wanted]
    for name, value in headline_params(benchmark).items():
        chosen = _nearest({row.params[name] for row in found if name in row.params}, value)
        found = [row for row in found if row.params.get(name) == chosen]
    return found


def _declared(benchmark: str) -> Params:
    known = catalogue().benchmarks.get(benchmark)
    return known.headline if known else {}


def _nearest(values: set[Value], wanted: Value) -> Value | None:
    """The wanted word, else the first one; or the number nearest to the wanted one. None without any."""
    if isinstance(wanted, str):
        return wanted if wanted in values else min(map(str, values), default=None)
    numbers = [value for value in values if not isinstance(value, str)]
    return min(numbers, key=lambda value: (abs(value - wanted), value), default=None)
