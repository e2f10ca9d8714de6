# SPDX-License-Identifier: BSD-3-Clause
"""A profile in the terminal: the verdict, what each remedy would bring at most, and where the time went; 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from raddle.profile.summary import Of, Offered, Shares, Summary
from raddle.profile.words import percent, seconds, share
from raddle.report.text import one_line
from raddle.units import format_bytes

_MOST = 12  # rows of a table; the page has all
_PARTS = (
    ("computing", "compute"),
    ("idle", "idle"),
    ("communicating", "comm."),
    ("partner", "partner"),
    ("lock", "locks"),
    ("hidden", "hidden"),
)


def show(found: Summary, console: Console, directory: Path) -> None:
    """Print it."""
    console.print(rendered(found, directory))


def rendered(found: Summary, directory: Path) -> RenderableType:
    """Everything, as something that a console prints."""
    return Group(*_all(found, directory))


def _all(found: Summary, directory: Path) -> Iterator[RenderableType]:
    yield Text()
    yield Text(one_line(heading(found)), style="bold")
    yield Text()
    grid = Table.grid(padding=(0, 1, 0, 0))
    for number, said in enumerate(found.verdict, 1):
        grid.add_row(f"{number}", Text(one_line(said.text)))
    yield grid
    if found.remedies:
        yield Text()
        yield remedies(found.remedies, found.seconds)
    yield Text()
    yield threads("Time of each thread", _first(found.threads))
    yield from _more(found.threads, "threads")
    yield Text()
    yield functions(found.functions)
    yield from _more(found.functions, "functions")
    yield Text()
    for line in notes(found):
        yield Text(line, style="dim")
    yield Text(f"Report: {directory / 'report.html'}")


def heading(found: Summary) -> str:
    """One line over all."""
    size = f"{len(found.processes)} processes" if len(found.processes) != 1 else "1 process"
    own = f"{len(found.threads)} threads" if len(found.threads) != 1 else "1 thread"
    return f"{' '.join(found.command)}: {seconds(found.seconds)}, {size}, {own}, {found.mpi}"


def remedies(offered: Sequence[Offered], whole: float) -> Table:
    """What each would bring at most."""
    made = _table("What remedies would bring at most", "less time")
    made.add_column("seen", justify="right")
    made.add_column("at most", justify="right")
    made.add_column("what to do", ratio=1)
    for each in offered:
        seen = share(each.seen, whole) if each.seen else "-"
        made.add_row(each.label, seen, share(each.most, whole), Text(f"{one_line(each.do)} {each.page}"))
    made.columns[0].header = "remedy"
    return made


def threads(title: str, several: Sequence[Of]) -> Table:
    """Shares of each one's time, and what the operating system did."""
    made = _table(title, "thread")
    for _, label in _PARTS:
        made.add_column(label, justify="right")
    made.add_column("time", justify="right")
    made.add_column("calls", justify="right")
    for each in several:
        made.add_row(f"{each.process}.{each.thread}", *parts(each.times), seconds(each.times.all), f"{each.calls:,}")
    return made


def functions(several: Sequence[Of]) -> Table:
    """The longest."""
    made = _table("Time by function", "function")
    for name in ("time", "calls", "partner", "locks", "bytes"):
        made.add_column(name, justify="right")
    for each in _first(several):
        times = each.times
        made.add_row(
            one_line(each.name),
            seconds(times.all),
            f"{each.calls:,}",
            share(times.partner, times.all),
            share(times.lock + times.hidden, times.all),
            short_bytes(each.bytes),
        )
    return made


def parts(times: Shares) -> list[str]:
    """The parts of a time in the order of the columns; hidden locks are an estimate."""
    return [percent(getattr(times, name) / times.all if times.all else 0.0) for name, _ in _PARTS]


def notes(found: Summary) -> list[str]:
    """Sentences under the tables."""
    cost = found.overhead
    made = [
        f"Profiling took {seconds(cost.call_cost)} a call, {share(cost.seconds, found.times.all)} of the threads' time "
        f"({cost.calls:,} calls).",
        "Calls and waits for locks (POSIX) are exact, times of partners scaled up from calls that were matched, hidden "
        "locks estimated. Of remedies, 'seen' is the part of the threads' time that they are about, 'at most' a bound "
        "of what the program's time can shrink by, and no promise (docs/use/profile.md).",
    ]
    if found.burnt:
        made.insert(1, f"While they waited inside the MPI threads took up to {seconds(found.burnt)} of CPU time.")
    if found.times.setup:
        made.insert(1, f"MPI_Init and MPI_Finalize took {seconds(found.times.setup)} of the threads' time.")
    return made


def short_bytes(count: int) -> str:
    """A sum of bytes with three digits: `1.25 GiB`."""
    value, units = float(count), ("KiB", "MiB", "GiB", "TiB")
    if value < 1024:
        return format_bytes(count)
    for unit in units:
        value /= 1024
        if value < 999.5 or unit == units[-1]:
            return f"{value:.3g} {unit}"
    return format_bytes(count)


def _table(title: str, first: str) -> Table:
    made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    made.add_column(first)
    return made


def _first(several: Sequence[Of]) -> Sequence[Of]:
    """As many as a screen holds, those with the most time in locks and partners kept in order."""
    return several[:_MOST]


def _more(several: Sequence[Of], noun: str) -> Iterator[Text]:
    if len(several) > _MOST:
        yield Text(f"... and {len(several) - _MOST} {noun} more: they are in the report.", style="dim")
