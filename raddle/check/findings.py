# SPDX-License-Identifier: BSD-3-Clause
"""What all processes have found, each rule and place once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from raddle.check.lines import Lines, lines
from raddle.check.order import Differs, differences
from raddle.check.records import Call, Found, Process
from raddle.check.rules import NAMED, Rule

SCHEMA = 1
_STANDARD = "MPI 4.1 and 5.0"


class Where(msgspec.Struct, frozen=True):
    """A call, and the thread of one process that it was seen in; `line`: of the source, or module and offset."""

    function: str
    line: str
    rank: int
    thread: int
    name: str
    tid: int
    module: str
    offset: int


class Finding(msgspec.Struct, frozen=True):
    """`times`: in all processes `ranks`; `at_least`: one did not end by itself, and has not said how often."""

    rule: str
    breaks: bool
    text: str
    standard: str
    times: int
    at_least: bool
    ranks: list[int]
    calls: list[Where]


class Result(msgspec.Struct, frozen=True):
    """What `--json` prints; `broken`: as many findings break a rule."""

    schema: int
    command: list[str]
    mpi: str
    status: int
    interrupted: bool
    processes: int
    broken: int
    findings: list[Finding]
    hints: list[str]


def document(result: Result) -> bytes:
    """As JSON to be read."""
    return msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"


@dataclass
class _Same:
    """What several processes found alike."""

    rule: Rule
    first: Found
    times: int = 0
    at_least: bool = False
    ranks: set[int] = field(default_factory=set)


def found(
    processes: Sequence[Process], command: Sequence[str], mpi: str, status: int, *, interrupted: bool = False
) -> Result:
    """Of a program's run. What breaks a rule comes first."""
    same = list(_same(processes))
    differs = list(differences(processes))
    known = lines(_places(same, differs))
    findings = [_finding(each, known) for each in same] + [_order(each, known) for each in differs]
    order = list(Rule)
    findings.sort(key=lambda each: (not each.breaks, order.index(NAMED[each.rule])))
    hints = [known.hint] if known.hint and findings else []
    if any(each.ranks for each in processes):
        hints.append("Threads of the program are ranks; of these processes nothing was checked.")
    broken = sum(each.breaks for each in findings)
    return Result(SCHEMA, list(command), mpi, status, interrupted, len(processes), broken, findings, hints)


def _same(processes: Sequence[Process]) -> Iterable[_Same]:
    made: dict[tuple[str, ...], _Same] = {}
    for process in processes:
        for one in process.found:
            sites = [(each.module, str(each.offset)) for each in (one, one.other) if each]
            key = (one.rule, one.level, *(word for site in sorted(sites) for word in site))
            at = made.setdefault(key, _Same(NAMED[one.rule], one))
            at.times += process.times.get(one.id, 1)
            at.at_least |= one.id not in process.times
            at.ranks.add(one.rank)
    return made.values()


def _places(same: Iterable[_Same], differs: Iterable[Differs]) -> Iterator[tuple[str, int]]:
    calls: list[Call | None] = [call for each in same for call in (each.first, each.first.other)]
    calls += [call for each in differs for call in (each.call, each.other)]
    return ((call.module, call.offset) for call in calls if call)


def _finding(same: _Same, known: Lines) -> Finding:
    first, other = same.first, same.first.other
    text = same.rule.sentence.format(
        call=first.function, other=other.function if other else "", level=first.level or "SINGLE"
    )
    calls = [_where(call, first.rank, known) for call in (first, other) if call]
    return Finding(
        same.rule, same.rule.breaks, text, _section(same.rule), same.times, same.at_least, sorted(same.ranks), calls
    )


def _order(differs: Differs, known: Lines) -> Finding:
    text = Rule.ORDER.sentence.format(
        number=differs.number,
        rank=differs.rank,
        with_rank=differs.with_rank,
        call=_named(differs.call),
        other=_named(differs.other),
    )
    both = ((differs.call, differs.rank), (differs.other, differs.with_rank))
    calls = [_where(call, rank, known) for call, rank in both if call]
    ranks = [differs.rank, differs.with_rank]
    return Finding(Rule.ORDER, True, text, _section(Rule.ORDER), 1, at_least=True, ranks=ranks, calls=calls)


def _named(call: Call | None) -> str:
    if call is None:
        return "nothing more"
    return f"{call.function} with root {call.root}" if call.root >= 0 else call.function


def _where(call: Call, rank: int, known: Lines) -> Where:
    line = known.of[call.module, call.offset]
    return Where(call.function, line, rank, call.thread, call.name, call.tid, call.module, call.offset)


def _section(rule: Rule) -> str:
    return f"{_STANDARD}, section {rule.section}"
