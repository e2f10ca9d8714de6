# SPDX-License-Identifier: BSD-3-Clause
"""What stands on the page around the figures: facts of the machine, notices with their advice, provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from raddle.environment import Host
from raddle.judge.incidents import Incident
from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.notices import Notice, Severity, notice_of
from raddle.report.data import Data
from raddle.report.params import way
from raddle.report.rows import work_words
from raddle.report.states import fact
from raddle.wording import cpu_ranges


@dataclass(frozen=True)
class NoticeLine:
    """One notice, where it applies, and what to do about it."""

    name: str
    severity: str
    seen: str
    matters: str
    do: str
    where: str
    # In full, for those who want to know: rows or messages. All of it from outside.
    details: list[str]


def notices(data: Data) -> list[NoticeLine]:
    """Everything that was noticed about rows, launches and the run, the most severe first, each notice once."""
    return _lines([*_about_run(data), *_about_launches(data), *_about_rows(data)])


def notices_of(data: Data, benchmarks: Collection[str]) -> list[NoticeLine]:
    """What was noticed about some benchmarks: their rows, and launches in which one of them failed."""
    own = replace(
        data,
        rows=[row for row in data.rows if row.benchmark in benchmarks],
        incidents=[incident for incident in data.incidents if incident.benchmark in benchmarks],
    )
    return _lines([*_about_launches(own), *_about_rows(own)])


def _lines(abouts: Iterable[tuple[str, _About]]) -> list[NoticeLine]:
    found: dict[str, list[_About]] = {}
    for name, about in abouts:
        found.setdefault(name, []).append(about)
    order = [severity.value for severity in reversed(Severity)]
    return sorted((_line(name, about) for name, about in found.items()), key=lambda line: order.index(line.severity))


def alerts(data: Data) -> list[NoticeLine]:
    """What a reader must know before the first number: something is missing, or must not be used."""
    return [line for line in notices(data) if line.severity == Severity.ERROR or line.name == Notice.RUN_CUT_OFF]


class _About(NamedTuple):
    """Where a notice applies: in short, and in full."""

    where: str
    details: list[str]


def _about_rows(data: Data) -> Iterator[tuple[str, _About]]:
    for flag in dict.fromkeys(flag for row in data.rows for flag in row.flags):
        rows = [row_name(data, row) for row in data.rows if flag in row.flags]
        yield flag, _About(f"{len(rows)} of {len(data.rows)} rows", rows)


def _about_launches(data: Data) -> Iterator[tuple[str, _About]]:
    for notice in dict.fromkeys(incident.notice for incident in data.incidents):
        own = [incident for incident in data.incidents if incident.notice is notice]
        launches = len({launch for incident in own for launch in incident.launches})
        where = _capital(own[0].message) if len(own) == 1 else f"{launches or len(own)} launches"
        yield notice.value, _About(where, [_incident(data, incident) for incident in own])


def _about_run(data: Data) -> Iterator[tuple[str, _About]]:
    if data.environment is None:
        yield Notice.UNREADABLE_LINE.value, _About("environment.json is missing or cannot be read", [])
        return
    for record in data.environment.notices:
        # A build that failed brings its log along.
        first, _, more = record.detail.partition("\n")
        yield record.name, _About(first, [record.detail] if more else [])


def _line(name: str, abouts: Sequence[_About]) -> NoticeLine:
    notice = notice_of(name)
    where = "; ".join(dict.fromkeys(about.where.rstrip(".:") for about in abouts))
    return NoticeLine(
        name=name,
        severity=notice.severity.value,
        seen=notice.seen,
        matters=notice.matters,
        do=notice.do,
        where=where,
        details=[detail for about in abouts for detail in about.details],
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _incident(data: Data, incident: Incident) -> str:
    launches = ", ".join(incident.launches[:3]) + (", ..." if len(incident.launches) > 3 else "")
    place = [data.title(incident.mpi) if incident.mpi else "", incident.benchmark, incident.variant, launches]
    head = ", ".join(word for word in place if word)
    return "\n".join([f"{head}: {incident.message}" if head else incident.message, *incident.log])


def row_name(data: Data, row: ResultRow) -> str:
    """A row in words, e.g. `latency 8 B, 1 pair, thread one-process, MPICH 5.0.2, clean`."""
    what = f"{row.benchmark} {work_words(row)}".rstrip()
    return f"{what}, {way(row)} {placement(row)}, {data.title(row.mpi)}, {row.profile}"


def machine(host: Host) -> list[tuple[str, str]]:
    """The machine as name and value; what is not known is said to be unknown."""
    smt = {True: "on", False: "off", None: ""}[host.smt]
    facts = [
        ("CPU", host.cpu),
        ("logical CPUs", str(host.cores)),
        ("CPUs this run may use", f"{len(host.allowed_cpus)} ({cpu_ranges(host.allowed_cpus)})"),
        ("NUMA nodes", str(host.numa_nodes)),
        ("hardware threads (SMT)", smt),
        ("frequency governor", host.governor),
        ("memory", f"{host.memory_gib} GiB"),
        ("kernel", host.kernel),
        ("system", host.os),
    ]
    return [(name, value or "unknown") for name, value in facts]


def when(created: str) -> str:
    """A time as people write it, in the zone in which it was recorded; as it is when it is no time."""
    try:
        time = datetime.fromisoformat(created)
    except ValueError:
        return created
    zone = "UTC" if time.utcoffset() == timedelta(0) else f"{time:%Z}"
    return f"{time:%Y-%m-%d %H:%M} {zone}".strip()


def provenance(data: Data) -> list[tuple[str, str]]:
    """Where the numbers come from."""
    found = data.environment
    if found is None:
        return [("environment.json", "missing: nothing is known of where these numbers come from")]
    return [
        ("measured", when(found.created)),
        ("seed", str(found.seed)),
        ("commit", found.commit or "unknown"),
        ("raddle", found.raddle),
        ("compiler", found.compiler or "unknown"),
        ("Python", found.python),
        ("blocks", str(data.blocks)),
        ("launches", _launches(data) if data.launches_kept else "not kept"),
        *([("from core to core", distance)] if (distance := fact(data)) else []),
        ("rows", f"{len(data.rows)}, of {sum(len(row.samples) for row in data.rows)} samples"),
    ]


def _launches(data: Data) -> str:
    """How many were made, of how many; `--resume` makes one that failed again."""
    attempts = Counter(launch.id for launch in data.log.launches)
    repeated = sum(made > 1 for made in attempts.values())
    of = f" of {data.planned} planned" if data.planned else ""
    return f"{len(attempts)}{of}" + (f", {repeated} of them repeated" if repeated else "")
