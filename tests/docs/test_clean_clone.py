# SPDX-License-Identifier: BSD-3-Clause
"""The first command of the README, as a stranger has it: in a clean clone, with nothing but what the machine has."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git repository: nothing to clone"),
]

# What a session of development adds to the environment, and a stranger has not.
OURS = ("VIRTUAL_ENV", "PYTHONPATH", "LD_LIBRARY_PATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")


def test_make_run_and_the_report(tmp_path: Path) -> None:
    clone = tmp_path / "raddle"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True, timeout=120)
    venv = str(ROOT / ".venv" / "bin")
    path = os.pathsep.join(each for each in os.environ["PATH"].split(os.pathsep) if each != venv)
    env = {name: value for name, value in os.environ.items() if name not in OURS} | {"PATH": path}
    for line in ("make setup", "make run", ".venv/bin/raddle report results/latest", ".venv/bin/raddle list"):
        done = subprocess.run(
            ["bash", "-c", line], cwd=clone, env=env, capture_output=True, text=True, timeout=3000, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    report = (clone / "results" / "latest" / "report.html").read_text()
    assert "95 %" in report
