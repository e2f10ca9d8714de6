# SPDX-License-Identifier: BSD-3-Clause
"""What was found, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from raddle.check.findings import Finding, Result, Where
from raddle.report.text import one_line

_RANKS = 8  # as many are named


def show(result: Result, console: Console) -> None:
    """Print it."""
    for line in _all(result):
        console.print(line)


def _all(result: Result) -> Iterator[Text]:
    yield Text()
    yield Text(one_line(heading(result)), style="bold")
    if result.interrupted:
        yield Text("The program was interrupted: this is what was seen until then.")
    for number, each in enumerate(result.findings, 1):
        yield Text()
        yield Text(f"{number}. {one_line(each.text)}")
        for call in each.calls:
            yield Text(f"   {one_line(_place(call))}", style="bold" if each.breaks else "")
        yield Text(f"   {each.standard}. Rule {each.rule}; {often(each)}.", style="dim")
    yield Text()
    yield Text(verdict(result))
    for hint in result.hints:
        yield Text(one_line(hint), style="dim")


def heading(result: Result) -> str:
    """One line over all."""
    size = "1 process" if result.processes == 1 else f"{result.processes} processes"
    return f"{' '.join(result.command)}: {size}, {result.mpi}"


def verdict(result: Result) -> str:
    """One line under all."""
    left = len(result.findings) - result.broken
    also = f" It leaves behind {left} {'thing' if left == 1 else 'things'}, which breaks none." if left else ""
    if not result.broken:
        return f"No rule broken that can be seen.{also}"
    return f"{result.broken} broken {'rule' if result.broken == 1 else 'rules'}.{also}"


def often(each: Finding) -> str:
    """How often, and where."""
    times = "once" if each.times == 1 else f"{each.times:,} times"
    named = ", ".join(map(str, each.ranks[:_RANKS])) + (", ..." if len(each.ranks) > _RANKS else "")
    least = "at least " if each.at_least else ""
    return f"{least}{times}, in {'process' if len(each.ranks) == 1 else 'processes'} {named}"


def _place(call: Where) -> str:
    return f"{call.line}: {call.function}, thread {call.thread} ({call.name}, {call.tid}) of process {call.rank}"
