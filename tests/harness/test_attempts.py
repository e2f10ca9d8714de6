# SPDX-License-Identifier: BSD-3-Clause
"""What the tools measure is kept, whatever becomes of the launches after it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from attempts import keep, printed

from raddle.errors import UserError
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)


def python(program: str, seconds: float = 20, **env: str) -> str:
    return printed([sys.executable, "-c", program], {**os.environ, **env}, seconds)


def test_what_a_command_prints_is_not_what_it_complains_of() -> None:
    assert python("import sys; print('1'); print('2', file=sys.stderr)") == "1\n"


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(UserError, match="ended with status 3") as caught:
        python("import sys; print('no room', file=sys.stderr); sys.exit(3)")
    assert caught.value.hint == "no room\n"


def test_nothing_of_a_command_that_takes_too_long_runs_on() -> None:
    mark = f"TEST_ATTEMPTS_{os.getpid()}"
    begun = time.monotonic()
    with pytest.raises(UserError, match="did not end within 1 s"):
        python("import subprocess; subprocess.run(['sleep', '600'], start_new_session=True)", 1, **{mark: "1"})
    assert time.monotonic() - begun < 20
    assert not fakes.alive(mark)


def test_a_failure_costs_no_other_attempt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> int:
        raise UserError("it crashed")

    path = tmp_path / "lines"
    found = keep(path, [({"mpi": "a", "block": 0}, lambda: 7), ({"mpi": "b", "block": 0}, fail),
                        ({"mpi": "a", "block": 1}, lambda: 8)])  # fmt: skip
    assert found == [{"mpi": "a", "block": 0, "found": 7}, {"mpi": "a", "block": 1, "found": 8}]
    assert len(path.read_text().splitlines()) == 3
    assert "b, 0: it crashed" in capsys.readouterr().err


def test_what_was_found_before_an_interruption_is_told(tmp_path: Path) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    assert keep(tmp_path / "lines", [({"block": 0}, lambda: 7), ({"block": 1}, interrupt)]) == [
        {"block": 0, "found": 7}
    ]
