# SPDX-License-Identifier: BSD-3-Clause
"""The two sides of a comparison, read: two results directories, or two MPIs of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from raddle.environment import Environment, read_environment
from raddle.errors import UserError
from raddle.model import NO_MPI, ResultRow
from raddle.plan.request import check_names
from raddle.report.load import load
from raddle.results.rows import read_results, results_file

_TWO_MPIS = "two MPIs of one run: raddle compare DIR --mpi mpich,openmpi."


@dataclass(frozen=True)
class Side:
    """What is compared; `environment` is none where the run has no readable one, `mpi` where all are compared."""

    directory: Path
    rows: list[ResultRow]
    environment: Environment | None
    mpi: str | None = None

    @property
    def mpis(self) -> list[str]:
        """All that were measured, the machine's own limits not counted."""
        return sorted({row.mpi for row in self.rows} - {NO_MPI})

    def of(self, mpi: str) -> Side:
        """The part of it that one MPI is. Raises UserError when it was not measured."""
        check_names(f"MPI in {self.directory} called", [mpi], self.mpis)
        return replace(self, rows=[row for row in self.rows if row.mpi == mpi], mpi=mpi)


def read_sides(first: Path, second: Path | None, mpis: Sequence[str]) -> tuple[Side, Side]:
    """A and B. Of two `mpis` the first is A's and the second B's; one is taken from both. Raises UserError."""
    if len(mpis) > 2:
        raise UserError(f"--mpi names {len(mpis)} MPIs, but two are compared.", hint=f"Name {_TWO_MPIS}")
    one_run = second is None or (first.exists() and second.exists() and first.samefile(second))
    if one_run and len(mpis) < 2:
        what = "There is only one directory" if second is None else "Both directories are the same"
        raise UserError(f"{what}: nothing to compare it with.", hint=f"Name another one, or {_TWO_MPIS}")
    a = _read(first)
    b = a if second is None or one_run else _read(second)
    return (a.of(mpis[0]), b.of(mpis[-1])) if mpis else (a, b)


def narrowed(sides: tuple[Side, Side], benchmarks: Sequence[str], variants: Sequence[str]) -> tuple[Side, Side]:
    """Only these benchmarks and variants; none named means all. Raises UserError for one that neither side has."""
    rows = [row for side in sides for row in side.rows]
    check_names("measured benchmark", benchmarks, sorted({row.benchmark for row in rows}))
    check_names("measured variant", variants, sorted({row.variant for row in rows}))
    a, b = (replace(side, rows=list(_chosen(side.rows, benchmarks, variants))) for side in sides)
    return a, b


def _chosen(rows: Iterable[ResultRow], benchmarks: Sequence[str], variants: Sequence[str]) -> Iterable[ResultRow]:
    for row in rows:
        if (not benchmarks or row.benchmark in benchmarks) and (not variants or row.variant in variants):
            yield row


def _read(directory: Path) -> Side:
    """The rows of `results.jsonl`; where the run was killed before it had one, they are made from `launches.jsonl`."""
    results = results_file(directory)
    if not results.is_file():
        data = load(directory)
        return Side(directory, data.rows, data.environment)
    rows = read_results(results)
    if not rows:
        raise UserError(f"{results} holds no rows.", hint=f"'raddle report {directory}' says what became of the run.")
    for number, row in enumerate(rows, start=1):
        if not row.blocks or len(row.blocks) != len(row.block_ids):
            raise UserError(
                f"{results}, row {number}: {len(row.blocks)} blocks with {len(row.block_ids)} block ids.",
                hint=f"'raddle report {directory}' makes the file again from launches.jsonl.",
            )
    return Side(directory, rows, read_environment(directory))
