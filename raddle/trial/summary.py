# SPDX-License-Identifier: BSD-3-Clause
"""What a trial has found: for a terminal, as Markdown, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from raddle.judge.points import speed
from raddle.model import PROCESS, ResultRow
from raddle.trial.conduct import Trial, Tried
from raddle.trial.output import shown

FILE = "trial.json"
_LABELS = {"wall": "wall time", "cpu": "CPU time"}


class Figure(msgspec.Struct, frozen=True):
    """A quantity of one shape; `gain` is how much better than processes, paired by block: above 1 is better.

    Where the machine was in several states they are of one of them (docs/use/measuring.md).
    """

    quantity: str
    unit: str
    median: float
    interval: tuple[float, float] | None
    gain: float | None
    gain_interval: tuple[float, float] | None


class Line(msgspec.Struct, frozen=True):
    """One shape."""

    shape: str
    variant: str
    same_output: bool
    problem: str
    differences: list[str]
    memory_mb_per_rank: float | None  # in one run that was watched; nothing if that was too short
    figures: list[Figure]


class Summary(msgspec.Struct, frozen=True):
    """All of it."""

    program: str
    mpi: str
    ranks: int
    blocks: int
    state: str  # of the machine that figures are of; empty: it was in one
    settings: dict[str, str]
    unsteady: list[str]  # what processes wrote otherwise when they ran again
    lines: list[Line]

    @property
    def good(self) -> bool:
        return all(line.same_output for line in self.lines)


def summary(trial: Trial, tried: Sequence[Tried], rows: Sequence[ResultRow], unsteady: Sequence[str]) -> Summary:
    """Of the rows that were made of what was measured."""
    mpi = trial.under.mpi
    return Summary(
        program=trial.asked.program,
        mpi=f"{mpi.family.title} {mpi.version}",
        ranks=trial.asked.ranks,
        blocks=max((len(row.blocks) for row in rows), default=0),
        state=next((row.state for row in rows if len(row.states) > 1), ""),
        settings=dict(trial.settings()),
        unsteady=list(unsteady),
        lines=[
            Line(
                shape=each.shape.words,
                variant=each.shape.name,
                same_output=not each.problem and not each.differences,
                problem=each.problem,
                differences=each.differences,
                memory_mb_per_rank=each.memory_per_rank,
                figures=[_figure(row, rows) for row in rows if row.variant == each.shape.name],
            )
            for each in tried
        ],
    )


def _figure(row: ResultRow, rows: Sequence[ResultRow]) -> Figure:
    processes = next((each for each in rows if each.variant == PROCESS and each.metric == row.metric), None)
    gain = speed(row, processes) if processes and processes is not row else None
    return Figure(
        quantity=row.metric,
        unit=row.unit,
        median=row.median,
        interval=row.ci95,
        gain=gain.estimate if gain else None,
        gain_interval=gain.interval if gain else None,
    )


def _value(figure: Figure) -> str:
    return f"{figure.median:.3g} {figure.unit}".rstrip()


def gain_text(figure: Figure) -> str:
    """The ratio to processes, with its interval or why it has none; nothing for processes."""
    if figure.gain is None:
        return ""
    if figure.gain_interval is None:
        return f"{figure.gain:.2f}x, n too small"
    low, high = figure.gain_interval
    return f"{figure.gain:.2f}x [{low:.2f}, {high:.2f}]"


def _output(line: Line) -> str:
    return line.problem or ("the same" if line.same_output else "DIFFERENT")


def _quantities(found: Summary) -> list[str]:
    return list(dict.fromkeys(figure.quantity for line in found.lines for figure in line.figures))


def _rows(found: Summary) -> list[list[str]]:
    quantities = _quantities(found)
    rows = []
    for line in found.lines:
        by = {figure.quantity: figure for figure in line.figures}
        cells = [f"{_value(by[name])}\n{gain_text(by[name])}".rstrip() if name in by else "" for name in quantities]
        memory = "" if line.memory_mb_per_rank is None else f"{line.memory_mb_per_rank:.3g} MB"
        rows.append([line.shape, *cells, memory, _output(line) if line.variant != "process" else ""])
    return rows


def heading(found: Summary) -> str:
    """One line over the table."""
    return f"{found.program}, {found.ranks} ranks, {found.mpi}, {found.blocks} blocks"


def notes(found: Summary) -> list[str]:
    """Sentences under the table."""
    lines = []
    if found.blocks:
        lines.append("Ratios: how much better than processes, paired by block, with their 95 % interval.")
    if found.state:
        lines.append(f"The machine was in several states; figures are of '{found.state}' (docs/use/measuring.md).")
    if found.settings:
        words = " ".join(f"{name}={value}" for name, value in found.settings.items())
        lines.append(f"More ranks than CPUs: all shapes ran with {words}.")
    if found.unsteady:
        lines.append("Two runs of processes did not write the same, so that outputs cannot be compared whole:")
        lines += [f"  {line}" for line in shown(found.unsteady)]
        lines.append("Leave out what varies with --ignore REGEX, or allow for it with --tolerance.")
    for line in found.lines:
        if line.differences and not found.unsteady:
            lines += [f"{line.shape} wrote otherwise:", *(f"  {text}" for text in shown(line.differences))]
    return lines


def table(found: Summary) -> Table:
    """For a terminal of 80 columns."""
    made = Table(title=heading(found), title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column("shape")
    for name in _quantities(found):
        made.add_column(_LABELS.get(name, name))
    made.add_column("memory/rank")
    made.add_column("output")
    for row in _rows(found):
        made.add_row(*row)
    return made


def markdown(found: Summary) -> str:
    """As a table for an issue or a page."""
    names = ["shape", *(_LABELS.get(name, name) for name in _quantities(found)), "memory per rank", "output"]
    lines = [heading(found), "", f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(cell.replace(chr(10), ', ') for cell in row)} |" for row in _rows(found)]
    return "\n".join([*lines, "", *notes(found), ""])


def document(found: Summary) -> str:
    """As JSON."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode()


def show(found: Summary, console: Console) -> None:
    """The table and what is to be said about it."""
    console.print(table(found))
    for line in notes(found):
        console.print(line, markup=False)


def save(found: Summary, directory: Path) -> None:
    """Into the directory of the trial, for `raddle report`, and as Markdown for people."""
    (directory / FILE).write_text(document(found) + "\n", encoding="utf-8")
    (directory / "report.md").write_text(markdown(found), encoding="utf-8")


def saved(directory: Path) -> Summary | None:
    """What a trial that is kept in a directory has found; nothing where it holds none."""
    file = directory / FILE
    return msgspec.json.decode(file.read_bytes(), type=Summary) if file.is_file() else None
