# SPDX-License-Identifier: BSD-3-Clause
"""What is preloaded, and into what: a library that is missing makes another variant, or none, without an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.execute.command import Command
from raddle.execute.starter import Starter
from raddle.plan.launches import LIBRARY, PROGRAMS
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)


@pytest.fixture(autouse=True)
def nothing_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)


def started(place: Path, proxies: int = 0, **env: str) -> Command:
    """The command of a launch with these settings."""
    mpi = fakes.mpi(place, fakes.family())
    programs = {"alpha": place / "build" / "alpha" / "bin" / "raddle-bench", "none": place / "bin" / "raddle-probe"}
    return Starter(place, {"alpha": mpi}, programs).command(fakes.launch(env=env, proxies=proxies))


def test_libraries_have_their_places_and_stand_before_the_program(tmp_path: Path) -> None:
    command = started(tmp_path, LD_PRELOAD=f"{PROGRAMS}/one.so:{LIBRARY}/two.so", RADDLE_NODE="rank")
    libraries = f"{tmp_path}/bin/one.so:{tmp_path}/build/alpha/lib/two.so"
    at = command.argv.index("env")
    assert command.argv[at:][:3] == ["env", f"LD_PRELOAD={libraries}", f"{tmp_path}/build/alpha/bin/raddle-bench"]
    assert command.env["RADDLE_NODE"] == "rank"
    assert command.shown["LD_PRELOAD"] == f"{PROGRAMS}/one.so:{LIBRARY}/two.so"


def test_the_launcher_is_not_preloaded(tmp_path: Path) -> None:
    assert "LD_PRELOAD" not in started(tmp_path, LD_PRELOAD=f"{LIBRARY}/two.so").env


def test_what_the_user_preloads_stays_in_front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/tools/libtool.so")
    command = started(tmp_path, LD_PRELOAD=f"{LIBRARY}/two.so")
    assert f"LD_PRELOAD=/tools/libtool.so:{tmp_path}/build/alpha/lib/two.so" in command.argv
    assert command.env["LD_PRELOAD"] == "/tools/libtool.so"


def test_a_launch_that_preloads_nothing_is_the_program_itself(tmp_path: Path) -> None:
    command = started(tmp_path, RADDLE_LANES_MAX="7")
    assert "env" not in command.argv
    assert f"{tmp_path}/build/alpha/bin/raddle-bench" in command.argv


def test_the_launcher_starts_the_proxies_of_each_process(tmp_path: Path) -> None:
    command = started(tmp_path, proxies=3, LD_PRELOAD=f"{LIBRARY}/two.so", RADDLE_PROXIES="3")
    assert command.argv[command.argv.index("-n") + 1] == "8"  # two processes and three proxies of each
    assert command.env["RADDLE_PROXIES"] == command.shown["RADDLE_PROXIES"] == "3"


def test_no_setting_of_the_users_makes_another_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("RADDLE_PROXIES", "2"), ("RADDLE_PROXY_PROGRESS", "async"), ("RADDLE_WATCHDOG", "10")):
        monkeypatch.setenv(name, value)
    command = started(tmp_path, LD_PRELOAD=f"{LIBRARY}/two.so", RADDLE_ENGINE="direct")
    assert command.env["RADDLE_ENGINE"] == "direct"
    assert not {"RADDLE_PROXIES", "RADDLE_PROXY_PROGRESS"} & command.env.keys()
    assert command.env["RADDLE_WATCHDOG"] == "10"
