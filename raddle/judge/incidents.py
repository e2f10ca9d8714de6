# SPDX-License-Identifier: BSD-3-Clause
"""What went wrong, or was left out, in a run: things that no row can carry because there is no row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from raddle.catalogue import catalogue
from raddle.judge.points import can_have_limit
from raddle.model import PHYSICAL, ResultRow
from raddle.notices import Notice
from raddle.results.launch_log import Launch, LaunchLog, Line

# What raddle-bench calls an error (docs/build/bench-protocol.md).
_CODES = {
    "no-thread-multiple": Notice.NO_THREAD_MULTIPLE,
    "variant-unavailable": Notice.VARIANT_SKIPPED,
    "validation": Notice.VALIDATION_FAILED,
    "mpi": Notice.MPI_ERROR,
    "hang": Notice.HANG,
    "pin": Notice.NOT_PINNED,
}


@dataclass(frozen=True)
class Incident:
    """One notice with what it is about. `message` and `log` hold text from outside: escape them."""

    notice: Notice
    message: str
    mpi: str = ""
    benchmark: str = ""
    variant: str = ""
    launches: tuple[str, ...] = ()
    log: tuple[str, ...] = ()


def incidents(log: LaunchLog, rows: Collection[ResultRow], planned: Collection[str] = ()) -> list[Incident]:
    """All incidents of a run: launches in order of time, then what is missing from the whole.

    `planned` holds the ids of the plan, to tell which launches were never made. What several launches say in the same
    words is told once, with all their ids.
    """
    found = [incident for launch in log.launches for incident in _of_launch(launch)]
    found += [Incident(Notice.UNREADABLE_LINE, f"line {number}: {why}") for number, why in log.unreadable]
    never = set(planned) - {launch.id for launch in log.launches}
    if never:
        found.append(Incident(Notice.RUN_CUT_OFF, f"{len(never)} of {len(planned)} launches were not made"))
    probed = {row.benchmark for row in rows if row.variant == PHYSICAL}
    for benchmark in dict.fromkeys(row.benchmark for row in rows):
        known = catalogue().benchmarks.get(benchmark)
        limited = any(row.benchmark == benchmark and can_have_limit(row) for row in rows)
        if benchmark not in probed and limited and (known is None or known.limit):
            found.append(Incident(Notice.NO_PHYSICAL, f"no physical probe of {benchmark}", benchmark=benchmark))
    return _told_once(found)


def _of_launch(launch: Launch) -> Iterator[Incident]:
    for line in launch.skips:
        yield _of_line(launch, line, Notice.VARIANT_SKIPPED)
    for line in launch.errors:
        yield _of_line(launch, line, _CODES.get(str(line.get("code")), Notice.BENCH_ERROR))
    if launch.probe and launch.probe.error:
        yield Incident(Notice.STATE_UNKNOWN, launch.probe.error, launches=(launch.id,))
    if launch.died:
        stopped = (launch.exit or {}).get("stopped") == "time limit"
        notice = Notice.LAUNCH_TIMEOUT if stopped else Notice.LAUNCH_DIED
        yield Incident(notice, _death(launch), launch.mpi, launches=(launch.id,), log=tuple(launch.log))


def _of_line(launch: Launch, line: Line, notice: Notice) -> Incident:
    benchmark, variant, message = (str(line.get(name) or "") for name in ("benchmark", "variant", "message"))
    params = line.get("params")
    where = ", ".join(f"{name}={value}" for name, value in params.items()) if isinstance(params, dict) else ""
    # A variant that is absent is absent at every size; an error belongs to its point.
    if where and notice is not Notice.VARIANT_SKIPPED:
        message += f" ({where})"
    return Incident(notice, message, launch.mpi, benchmark, variant, (launch.id,))


def _death(launch: Launch) -> str:
    """How it ended, in words."""
    if launch.exit is None:
        return "the run was cut off while this launch was under way"
    stopped, signal, status = (launch.exit.get(key) for key in ("stopped", "signal", "status"))
    if stopped:
        return f"stopped: {stopped}"
    return f"ended by signal {signal}" if signal else f"exited with status {status} before it had finished"


def _told_once(found: list[Incident]) -> list[Incident]:
    once: dict[Incident, list[str]] = {}
    for incident in found:
        once.setdefault(replace(incident, launches=()), []).extend(incident.launches)
    return [replace(incident, launches=tuple(dict.fromkeys(ids))) for incident, ids in once.items()]
