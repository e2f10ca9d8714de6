# SPDX-License-Identifier: BSD-3-Clause
"""The first command of the README, as a stranger has it: in a clean clone, with nothing but what the machine has."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.docs.pages import README, ROOT, indented

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git repository: nothing to clone"),
]

# What a session of development adds to the environment, and a stranger has not.
OURS = ("VIRTUAL_ENV", "PYTHONPATH", "LD_LIBRARY_PATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")


MINUTES_TO_THE_GAIN = 8


def test_make_run_and_the_report(tmp_path: Path) -> None:
    clone, env = stranger(tmp_path)
    for line in ("make setup", "make run", ".venv/bin/raddle report results/latest", ".venv/bin/raddle list"):
        bash(line, clone, env)
    report = (clone / "results" / "latest" / "report.html").read_text()
    assert "95 %" in report


def test_the_gain_of_the_first_page_is_soon_there(tmp_path: Path) -> None:
    """Its commands, with nothing in the user's caches: downloads and builds are part of the time."""
    clone, env = stranger(tmp_path)
    (tmp_path / "home").mkdir()
    env = {name: value for name, value in env.items() if name != "RADDLE_HOME"} | {"HOME": str(tmp_path / "home")}
    began = time.monotonic()
    said = bash("set -e\n" + "\n".join(indented(README)), clone, env)
    assert time.monotonic() - began <= 60 * MINUTES_TO_THE_GAIN
    assert "1 x 2 threads" in said


def stranger(place: Path) -> tuple[Path, dict[str, str]]:
    """A clean clone, and the environment of who has just made it."""
    clone = place / "raddle"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True, timeout=120)
    venv = str(ROOT / ".venv" / "bin")
    path = os.pathsep.join(each for each in os.environ["PATH"].split(os.pathsep) if each != venv)
    return clone, {name: value for name, value in os.environ.items() if name not in OURS} | {"PATH": path}


def bash(lines: str, clone: Path, env: dict[str, str]) -> str:
    """What they print."""
    done = subprocess.run(
        ["bash", "-c", lines], cwd=clone, env=env, capture_output=True, text=True, timeout=3000, check=False
    )
    assert done.returncode == 0, f"{lines}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout + done.stderr
