# SPDX-License-Identifier: BSD-3-Clause
"""The ledger: what became of each test, by MPI and shape. One file, from which the page is made."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from raddle.environment import allowed_cpus, checkout_commit
from raddle.files import write_whole
from raddle.locks import exclusive
from raddle.mpi.find import Mpi
from raddle.mpi.places import home
from raddle.paths import tilde
from tests.conformance import known, suite
from tests.conformance.launch import Run, Shape, Verdict

FILE = Path(__file__).resolve().parents[2] / "docs" / "results" / "conformance.json"
_LETTERS = {"pass": "p", "skip": "s", "refused": "r", "fail": "F", "erroneous": "e"}
_LONGEST = 600


def add(mpi: Mpi, shape: Shape, run: Run, date: str) -> None:
    """Puts a run in the place of the last one of this MPI and shape."""
    with exclusive(home() / "mpi4py" / ".ledger.lock", lambda: None):
        ledger = load()
        judge(mpi.name, run)
        ledger["suite"] = f"mpi4py {suite.VERSION}"
        ledger["cpus"] = len(allowed_cpus())
        listed = ledger.setdefault("tests", [])
        places = {name: place for place, name in enumerate(listed)}
        for name in run.verdicts:
            if name not in places:
                places[name] = len(listed)
                listed.append(name)
        outcomes = ["."] * len(listed)
        for name, verdict in run.verdicts.items():
            outcomes[places[name]] = _LETTERS[verdict.outcome]
        ledger.setdefault("runs", {}).setdefault(mpi.name, {"title": mpi.family.title, "version": mpi.version})[
            shape.name
        ] = {"date": date, "commit": checkout_commit(), "outcomes": "".join(outcomes), **_record(run)}
        write_whole(FILE, (json.dumps(ledger, indent=1) + "\n").encode())


def judge(mpi: str, run: Run) -> None:
    """Nothing follows from the failure of a test that breaks MPI's rules."""
    for name, verdict in run.verdicts.items():
        if verdict.outcome == "fail" and any(one.about(name, mpi) for one in known.erroneous()):
            verdict.outcome = "erroneous"


def load() -> dict[str, Any]:
    if not FILE.exists():
        return {}
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _record(run: Run) -> dict[str, Any]:
    verdicts = run.verdicts
    passes = [one for one in verdicts.values() if one.outcome == "pass"]
    refused = Counter(one.reason for one in verdicts.values() if one.outcome == "refused")
    return {
        "totals": dict(Counter(one.outcome for one in verdicts.values())),
        "passes that communicate": sum(one.on > 0 for one in passes),
        "calls on endpoints": sum(one.on for one in verdicts.values()),
        "calls elsewhere": sum(one.past for one in verdicts.values()),
        "refused": dict(sorted(refused.items())),
        "failures": {name: _reason(one) for name, one in verdicts.items() if one.outcome in ("fail", "erroneous")},
        "launches": run.launches,
        "seconds": round(run.seconds),
    }


def _reason(verdict: Verdict) -> str:
    """Its end, which says most, without the places of this machine."""
    text = tilde(verdict.reason.strip())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("^")]
    if lines and lines[0].startswith(("hangs", "ends the job")):
        return re.sub(r"/\S*/", "", " | ".join(lines[:4]))[:_LONGEST]
    where = next((line for line in reversed(lines) if "/test_" in line), "")
    return re.sub(r'"?/?\S*/(\w+\.py)"?', r"\1", " | ".join(filter(None, [lines[-1] if lines else "", where])))[
        :_LONGEST
    ]
