# SPDX-License-Identifier: BSD-3-Clause
"""What a verb loads before it begins: `raddle exec` is in front of each launch, so it must cost next to nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# What statistics, drawings, tables and the machine's description need: a tenth of a second or more each.
HEAVY = {"jinja2", "matplotlib", "numpy", "psutil", "rich", "scipy"}


def loaded(verb: str) -> set[str]:
    code = f"import sys; from raddle.cli import application; application({verb!r}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.split())


def test_exec_loads_nothing_that_it_does_not_use() -> None:
    modules = loaded("exec")
    assert "raddle.verbs.exec" in modules
    assert modules.isdisjoint(HEAVY)
    assert {name for name in modules if name.startswith("raddle.verbs.")} == {
        "raddle.verbs.exec", "raddle.verbs.exec_options"
    }  # fmt: skip


@pytest.mark.parametrize("verb", ["run", "doctor", "try", "profile", "check", "report", "compare"])
def test_no_verb_loads_statistics_before_it_knows_what_is_asked_for(verb: str) -> None:
    assert loaded(verb).isdisjoint({"matplotlib", "scipy"})
