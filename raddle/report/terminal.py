# SPDX-License-Identifier: BSD-3-Clause
"""The summary in the terminal: the verdict in words, then tables that fit 80 columns, then what to watch out for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from raddle.report import expectations, medians, page, states
from raddle.report import matrix as ratios
from raddle.report.data import Data
from raddle.report.expectations import Judgement
from raddle.report.figures import figures
from raddle.report.five import five
from raddle.report.matrix import Cell
from raddle.report.numbers import pretty
from raddle.report.params import has_ways
from raddle.report.style import variant_style
from raddle.report.text import one_line
from raddle.results.machine_states import words

_SHADES = {"slower-4": "bold red", "slower-3": "bold red", "slower-2": "red", "slower-1": "yellow", "same": "dim",
           "small": "dim", "faster-1": "green", "faster-2": "green", "faster-3": "bold green", "faster-4": "bold green",
           "absent": "dim"}  # fmt: skip
_LABEL = 13  # columns, or more where a name needs them
_NARROWEST, _WIDEST = 22, 30  # of one MPI; 14 + 3 x 22 fit into 80
_INDENT, _FURTHER = "  ", "   "  # of a name, and of what does not fit on its line
_NOTHING = ("-", "not measured")
_MOST_MEDIANS = 12  # more fill screens that nobody scrolls back through
_Cells = tuple[str, str, list[Text]]
_Block = tuple[Text, list[_Cells]]
_JUDGEMENTS = {Judgement.MET: "green", Judgement.NOT_MET: "red", Judgement.NOT_SHOWN: "dim"}
_SEVERITIES = {"error": "bold red", "warning": "yellow", "note": "dim"}


def summary(data: Data, directory: Path, width: int = 80) -> RenderableType:
    """Everything, as something that a rich console of that many columns prints."""
    return Group(*_parts(data, directory, width))


def _parts(data: Data, directory: Path, width: int) -> Iterator[RenderableType]:
    for alert in page.alerts(data):
        yield Text.assemble(("! ", "bold red"), one_line(f"{alert.where}. {alert.seen} {alert.matters} {alert.do}"))
    yield from _verdict(data)
    yield from _states(data)
    yield from _expectations(data)
    yield from _ratios(data, width)
    yield from _medians(data, width)
    yield from _notices(data)
    yield Text()
    yield _line("Report: ", str(directory / "report.html"))


def _verdict(data: Data) -> Iterator[RenderableType]:
    """What the report's first page says."""
    lines = five(data, figures(data))
    grid = Table.grid(padding=(0, 1, 0, 0))
    for number, line in enumerate(lines, 1):
        grid.add_row(f"{number}", Text(pretty(one_line(line.text)) + (" Oversubscribed." if line.shared else "")))
    yield Text()
    yield grid
    if any(line.shared for line in lines):
        yield Text("Oversubscribed: more busy threads than CPUs, so it holds for such machines only.", style="dim")


def _states(data: Data) -> Iterator[RenderableType]:
    if told := states.sentence(data):
        yield Text()
        yield Text(told)


def _expectations(data: Data) -> Iterator[RenderableType]:
    found = expectations.cards(data)
    if not found:
        return
    yield Text()
    yield Text("What users expect of threads", style="bold")
    for card in found:
        yield Text(one_line(card.mpi), style="underline")
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=11)
        grid.add_column()
        for each in card.expectations:
            told = "; ".join(measure.text for measure in each.measures) + (" (oversubscribed)" if each.shared else "")
            grid.add_row(
                Text(f"  {each.judgement.value}", style=_JUDGEMENTS[each.judgement]),
                Text(pretty(one_line(f"{each.name}: {told}"))),
            )
        yield grid
    for name, rule in expectations.RULES.items():
        yield Text(f"{name}: met when {rule}.", style="dim")


def _ratios(data: Data, width: int) -> Iterator[RenderableType]:
    parts = ratios.matrix(data)
    if not parts:
        return
    blocks: list[_Block] = []
    rivals = {part.against for part in parts if part.told}
    for part in parts:
        for place in dict.fromkeys(line.placement for line in part.lines):
            own = [line for line in part.lines if line.placement == place]
            lines = [(line.label, line.series, [_ratio(cell) for cell in line.cells]) for line in own]
            heading = _heading(_joined(f"{part.benchmark} {part.work}".rstrip(), place), part.shared)
            if part.against and len(rivals) > 1:
                heading.append(f"\n  against {one_line(part.against)}", style="dim")
            blocks.append((heading, lines))
    several = any(part.against for part in parts)
    best = "the best processes" if several else "processes"
    told = f"{best}, or of the plainest way"  # which fits on a line of 80
    title = f"Speed as a multiple of {told if has_ways(data.rows) else best + ' [95 % interval over blocks]'}"
    yield from _section(data, title, blocks, width, data.subjects)
    if several:
        whose = f"those of {one_line(rivals.pop())}" if len(rivals) == 1 else "of the MPI that did that work fastest"
        yield Text(f"The best processes here: {whose}.", style="dim")
    yield from (Text(one_line(line), style="dim") for line in data.tuned)
    yield Text("Above 1 is faster, whatever the metric; = means no difference shown.", style="dim")


def _medians(data: Data, width: int) -> Iterator[RenderableType]:
    found = states.several(data)
    for state in [each.name for each in found] or [""]:
        parts = medians.medians(data, state)
        if len(parts) > _MOST_MEDIANS:
            yield Text(f"The medians of {len(parts)} pieces of work are in the report and in tables.csv.", style="dim")
            return
        blocks: list[_Block] = [
            (
                _heading(part.heading, part.shared),
                [(line.label, line.series, [Text(one_line(cell)) for cell in line.cells]) for line in part.lines],
            )
            for part in parts
        ]
        told = f", {words(state)}" if state else ""
        yield from _section(data, f"Medians{told} [95 % interval over blocks]", blocks, width, data.mpis)


def _section(
    data: Data, title: str, blocks: Sequence[_Block], width: int, mpis: Sequence[str]
) -> Iterator[RenderableType]:
    """Blocks under common column heads; with more MPIs than fit side by side, once for every few of them."""
    names = [_name(label) for _, lines in blocks for label, _, _ in lines]
    least = min(max([_LABEL, *map(_narrowest, names)]), max(_LABEL, width - _NARROWEST))
    across = min(len(mpis), max(1, (width - least) // _NARROWEST))
    # Whole names where they take nothing from the numbers.
    longest = max((len(_INDENT) + cell_len(name) + 1 for name in names), default=0)
    first = max(least, min(longest, width - across * _NARROWEST))
    column = min(_WIDEST, max(_NARROWEST, (width - first) // across))
    for begin in range(0, len(mpis), across):
        chosen = slice(begin, begin + across)
        yield Text()
        yield Text(title, style="bold")
        yield _grid([("", "", [Text(one_line(data.title(mpi))) for mpi in mpis[chosen]])], first, column)
        for heading, lines in blocks:
            # Of a rival only processes were measured.
            own = [(label, series, cells[chosen]) for label, series, cells in lines]
            own = [line for line in own if begin == 0 or any(cell.plain not in _NOTHING for cell in line[2])]
            if own:
                yield heading
                yield _grid(own, first, column)


def _grid(lines: Sequence[_Cells], first: int, column: int) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=first - 1)
    for _ in lines[0][2]:
        grid.add_column(width=column - 1)
    for label, series, cells in lines:
        grid.add_row(
            Text(_in_lines(_name(label), first - 1), style=variant_style(series).terminal),
            *(_folded(cell, column - 1) for cell in cells),
        )
    return grid


def _name(label: str) -> str:
    """A label as short as may be: with `endpoint-` in front of all engines no line would be left to tell them apart."""
    return one_line(label).replace("endpoint-", "ep-")


def _in_lines(name: str, width: int) -> str:
    """The whole name, each further line of it indented."""
    return "\n".join(wrap(name, width, initial_indent=_INDENT, subsequent_indent=_FURTHER)) if name else ""


def _narrowest(name: str) -> int:
    """The columns in which it can be told without being broken within a word."""
    head, *others = re.findall(r"[^\s-]+-?|-", name) or [""]
    return max([len(_INDENT) + cell_len(head), *(len(_FURTHER) + cell_len(each) for each in others)]) + 1


def _folded(cell: Text, width: int) -> Text:
    """A cell that is too long, broken where a reader expects it: the interval below its value."""
    value, bracket, interval = cell.plain.partition(" [")
    return Text(f"{value}\n[{interval}", style=cell.style) if bracket and cell.cell_len > width else cell


def _heading(text: str, shared: bool) -> Text:
    heading = Text(one_line(text), style="underline")
    return heading.append(" OVERSUBSCRIBED", style="yellow") if shared else heading


def _joined(work: str, place: str) -> str:
    """The placement is part of the work already where it is an unusual one."""
    return work if place in work else f"{work}, {place}"


def _ratio(cell: Cell) -> Text:
    same = " =" if cell.shade == "same" else ""
    return Text(f"{cell.value} {cell.interval}{same}".rstrip(), style=_SHADES[cell.shade])


def _notices(data: Data) -> Iterator[RenderableType]:
    notices = page.notices(data)
    told = [notice for notice in notices if notice.severity != "note"]
    if told:
        yield Text()
        yield Text("Before quoting a number", style="bold")
        grid = Table.grid(padding=(0, 1))
        grid.add_column(no_wrap=True)
        grid.add_column()
        for notice in told:
            name = Text(one_line(notice.name), style=_SEVERITIES[notice.severity])
            grid.add_row(name, Text.assemble(one_line(f"{notice.where}. {notice.seen} "), (notice.do, "dim")))
        yield grid
    notes = dict.fromkeys(one_line(notice.name) for notice in notices if notice.severity == "note")
    if notes:
        yield Text(f"Notes, explained in the report: {', '.join(notes)}", style="dim")


def _line(label: str, value: str) -> Text:
    return Text.assemble((label, "dim"), one_line(value), overflow="fold")
