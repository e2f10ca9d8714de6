# SPDX-License-Identifier: BSD-3-Clause
"""What `raddle doctor --json` prints (docs/use/doctor.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import Any

import msgspec

from raddle.doctor.diagnosis import Diagnosis
from raddle.doctor.gain import Gain
from raddle.inspection.facts import Facts, Job, Machine
from raddle.paths import tilde

SCHEMA = 1


@dataclass(frozen=True)
class Examined:
    """One MPI with all that was found out and said about it."""

    facts: Facts
    diagnoses: Sequence[Diagnosis]
    gains: Sequence[Gain] = ()


def document(machine: Machine, job: Job, examined: Sequence[Examined], accepted: Sequence[str]) -> str:
    """One JSON document for all MPIs."""
    content = {
        "schema": SCHEMA,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": machine,
        "job": job,
        "accepted": list(accepted),
        "mpis": [_mpi(one) for one in examined],
    }
    return tilde(msgspec.json.format(msgspec.json.encode(content), indent=1).decode())


def _mpi(one: Examined) -> dict[str, Any]:
    return {"facts": one.facts, "findings": [_finding(each, one.gains) for each in one.diagnoses]}


def _finding(one: Diagnosis, gains: Sequence[Gain]) -> dict[str, Any]:
    measured = [_gain(gain) for gain in gains if gain.finding is one.finding]
    return {
        "name": str(one.finding),
        "severity": one.severity.value,
        "seen": one.seen,
        "matters": one.matters,
        "do": one.do,
        "settings": dict(one.settings),
        "measured": measured[0] if measured else None,
    }


def _gain(gain: Gain) -> dict[str, Any]:
    ratio = asdict(gain.ratio) if gain.ratio else None
    return {
        "work": gain.work,
        "unit": gain.unit,
        "without": gain.without,
        "with": gain.with_it,
        "ratio": ratio,
        "shown": bool(gain.ratio and gain.ratio.shown),
        "oversubscribed": gain.oversubscribed,
        "problem": gain.problem,
    }
