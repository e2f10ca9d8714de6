# SPDX-License-Identifier: BSD-3-Clause
"""What profiles cost, what they promise, and what `raddle check` says of programs that are right.

For docs/use/profile.md and docs/use/check.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from raddle.stats.order import median, median_interval
from tables.cells import RESULTS, line

COST = RESULTS / "2026-11-27-profile-cost-2core"
PREDICTION = RESULTS / "2026-11-27-profile-prediction-2core"
ALARMS = RESULTS / "2026-11-28-false-alarms-2core"

WAYS = ("plain", "preloaded", "profiled")
AS_IT_IS, PROFILE = "as it is", "profile"
OFFERED: Mapping[str, Sequence[str]] = {
    "settings": ("settings-yield",),
    "lanes": ("lanes", "settings-contexts"),
}
"""The remedies of a profile that a change of a program is; of all others the one of its name."""

Line = dict[str, Any]


def cost() -> list[str]:
    return costs(readings(COST))


def costs(lines: Iterable[Line]) -> list[str]:
    """A line for each MPI: what is added to half a round trip of 8 B, and the time of the halo example as a ratio."""
    blocks: dict[str, dict[str, dict[int, dict[str, Any]]]] = nested(lines, "mpi", "program", "block", "way")
    rows = [
        line("MPI", "8 B, half a round trip", "preloaded adds", "profiled adds", "a call, as it is printed", "halo"),
        "|" + "---|" * 6,
    ]
    for mpi, programs in sorted(blocks.items()):
        pings, halos = (_whole(programs.get(name, {}), WAYS) for name in ("ping-pong", "halo"))
        added = {
            way: told([1e3 * (each[way]["time"] - each["plain"]["time"]) for each in pings], "+.0f") for way in WAYS[1:]
        }
        plain = f"{1e3 * median([each['plain']['time'] for each in pings]):.0f} ns" if pings else "-"
        printed = told([each["profiled"]["call_cost"] for each in pings], ".0f")
        longer = told([100 * (each["profiled"]["time"] / each["plain"]["time"] - 1) for each in halos], "+.1f")
        rows.append(
            line(mpi, plain, *(f"{added[way]} ns" for way in WAYS[1:]), f"{printed} ns", f"{longer} % of its time")
        )
    return rows


def prediction() -> list[str]:
    return predictions(readings(PREDICTION))


def predictions(lines: Iterable[Line]) -> list[str]:
    """A line for each program and remedy: of each MPI what it brought, and what the profile promised at most."""
    found = nested(lines, "case", "mpi", "block", "way")
    mpis = sorted({mpi for cases in found.values() for mpi in cases})
    head = [cell for mpi in mpis for cell in (mpi, "at most")]
    rows = [line("program, remedy", *head), "|" + "---|" * (1 + len(head))]
    for case, by_mpi in found.items():
        ways = {way for blocks in by_mpi.values() for each in blocks.values() for way in each}
        for remedy in sorted(ways - {PROFILE, AS_IT_IS}):
            cells = [cell for mpi in mpis for cell in _prediction(remedy, by_mpi.get(mpi, {}))]
            rows.append(line(f"{case}, {remedy}", *cells))
    return rows


def _prediction(remedy: str, blocks: Mapping[int, Mapping[str, Any]]) -> tuple[str, str]:
    """Parts of the program's time as it is: what went away, and the median of what profiles promised."""
    whole = _whole(blocks, (PROFILE, AS_IT_IS, remedy))
    if not whole:
        return "-", "-"
    brought = [100 * (1 - each[remedy]["seconds"] / each[AS_IT_IS]["seconds"]) for each in whole]
    names = OFFERED.get(remedy, (remedy,))
    bounds = [
        100 * max(offered) / each[PROFILE]["seconds"]
        for each in whole
        if (offered := [each[PROFILE]["bounds"][name] for name in names if name in each[PROFILE]["bounds"]])
    ]
    missing = f" ({len(bounds)} of {len(whole)})" if len(bounds) < len(whole) else ""
    return f"{told(brought, '+.1f')} %", f"{median(bounds):.0f} %{missing}" if bounds else "-"


def alarms() -> list[str]:
    """A line for each program: of each MPI the rules that were said to be broken."""
    found = nested(json.loads((ALARMS / "readings.json").read_text(encoding="utf-8")), "program", "mpi")
    mpis = sorted({mpi for each in found.values() for mpi in each})
    rows = [line("program", *mpis), "|" + "---|" * (1 + len(mpis))]
    for program, by_mpi in found.items():
        rows.append(line(program, *(_alarms(by_mpi.get(mpi)) for mpi in mpis)))
    return rows


def _alarms(found: Any) -> str:
    if found is None:
        return "-"
    rules = sorted({f"`{each['rule']}`" for each in found["findings"]})
    return ", ".join(rules) or "nothing"


def readings(run: Path) -> list[Line]:
    readings: list[Line] = json.loads((run / "readings.json").read_text(encoding="utf-8"))["readings"]
    return readings


def told(values: Sequence[float], form: str) -> str:
    """A median with its interval, each number in this format."""
    if not values:
        return "-"
    interval = median_interval(values)
    words = f" [{interval.lo:{form}}, {interval.hi:{form}}]" if interval else ", n too small"
    return f"{median(values):{form}}{words}"


def _whole(blocks: Mapping[int, Mapping[str, Any]], ways: Iterable[str]) -> list[Mapping[str, Any]]:
    """The blocks in which all of these ways were measured."""
    wanted = set(ways)
    return [each for each in blocks.values() if wanted <= each.keys()]


def nested(lines: Iterable[Line], *keys: str) -> dict[Any, Any]:
    """What was found, by these keys of its line one inside the other, in the order of the lines."""
    tree: dict[Any, Any] = {}
    for each in lines:
        place = tree
        for key in keys[:-1]:
            place = place.setdefault(each[key], {})
        place[each[keys[-1]]] = each["found"]
    return tree
