# SPDX-License-Identifier: BSD-3-Clause
"""A directory with a launcher that exists only there and a program, for verbs that run one and read what it left."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass
class FakeJob:
    """`driver` is `raddle` with that launcher; what the program leaves goes to `left`, as a shell has it."""

    place: Path
    verb: str
    driver: Path
    left: str

    def prepare(self) -> None:
        """The driver makes the launcher, when it is asked for anything."""
        subprocess.run([sys.executable, str(self.driver), "--version"], env=self.env(), check=True, timeout=60)

    def script(self, text: str, leaves: bytes) -> None:
        """The program; in it `leave` leaves what a real one would have written."""
        (self.place / "records").write_bytes(leaves)
        path = self.place / "program"
        path.write_text(f'#!/bin/sh\nleave() {{ cp "{self.place}/records" "{self.left}"; }}\n{text}\n')
        path.chmod(0o755)

    def words(self, *options: str, program: str = "./program", launcher: str = "") -> list[str]:
        launcher = launcher or str(self.place / "home" / "bin" / "mpiexec")
        return [sys.executable, str(self.driver), self.verb, *options, "--", launcher, "-n", "2", program, "word"]

    def env(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "SLURM_STEP_ID")}
        return {
            **own, "PYTHONPATH": str(ROOT), "FAKE_HOME": str(self.place / "home"), "FAKE_JOB": str(self.place),
            "COLUMNS": "80", "TMPDIR": str(self.place),
        }  # fmt: skip

    def start(self) -> subprocess.Popen[str]:
        """With its results in `out`."""
        return subprocess.Popen(
            self.words("--out", "out"), cwd=self.place, env=self.env(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *options: str, stdin: str = "", words: list[str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words or self.words(*options), cwd=self.place, env=self.env(), input=stdin, capture_output=True, text=True,
            timeout=100, check=False,
        )  # fmt: skip
