# SPDX-License-Identifier: BSD-3-Clause
"""The whole command in a process of its own, with fake MPIs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_DRIVER = Path(__file__).with_name("raddle_with_fakes.py")


@dataclass
class Raddle:
    """`raddle` in the directory `place`; `env` adds to the environment of all its runs."""

    place: Path
    env: dict[str, str] = field(default_factory=dict)

    def start(self, *arguments: str, **env: str) -> subprocess.Popen[str]:
        """Start it and do not wait."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("FAKE_")}
        return subprocess.Popen(
            [sys.executable, str(_DRIVER), *arguments],
            cwd=self.place,
            env={
                **inherited,
                "PYTHONPATH": str(_ROOT),
                "COLUMNS": "120",
                "FAKE_HOME": str(self.place / "fakes"),
                "FAKE_TRACE": str(self.place / "trace"),
                **self.env,
                **env,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        with self.start(*arguments, **env) as process:
            out, err = process.communicate(timeout=100)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def started(self) -> list[str]:
        """Ids of the launches that were started, in order."""
        path = self.place / "trace"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line.removeprefix("start ") for line in lines if line.startswith("start ")]

    def rows(self, directory: str = "out") -> list[tuple[str, str, str]]:
        """Launch, variant and parameters of every row in the journal."""
        lines = map(json.loads, (self.place / directory / "launches.jsonl").read_text().splitlines())
        return [(line["launch"], line["variant"], str(line["params"])) for line in lines if line["type"] == "row"]

    def plan(self, directory: str = "out") -> dict[str, Any]:
        """The plan of a run."""
        plan: dict[str, Any] = json.loads((self.place / directory / "plan.json").read_text())
        return plan
