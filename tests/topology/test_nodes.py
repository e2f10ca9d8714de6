# SPDX-License-Identifier: BSD-3-Clause
"""Real simulated nodes: two names, one cable, and nothing left of them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.topology import namespace, netns
from raddle.topology.names import own_names
from raddle.topology.netns import SimulatedNodes
from tests.topology.simulated import needs_nodes, on

ROOT = Path(__file__).resolve().parents[2]

# Makes nodes, starts something on the second, says so and waits.
HOLDER = """
import subprocess, time
from raddle.topology.netns import AGENT, SimulatedNodes
with SimulatedNodes() as nodes:
    first, second = nodes.hosts(2).shares
    sleeper = subprocess.Popen([AGENT, second, "exec sleep 600"], start_new_session=True)
    print(first, second, sleeper.pid, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert not set(own_names()) & set(namespace.existing())


def hold() -> tuple[subprocess.Popen[str], list[str], int]:
    """A process that holds nodes, their names, and the number of another that runs there."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first, second, sleeper = process.stdout.readline().split()
    return process, [first, second], int(sleeper)


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait(20)
    assert process.stdout is not None
    process.stdout.close()


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Waits for it, so long at most."""
    give_up = time.monotonic() + seconds
    while not condition() and time.monotonic() < give_up:
        time.sleep(0.02)
    return condition()


@needs_nodes
def test_each_node_goes_by_its_name_and_reaches_the_other() -> None:
    here = os.uname().nodename
    with SimulatedNodes() as nodes:
        first, second = nodes.hosts(2).shares
        assert [on(name, ["hostname"]).strip() for name in (first, second)] == [first, second]
        assert on(first, ["getent", "hosts", second]).split() == ["10.77.0.2", second]
        assert re.search(r"10\.77\.0\.2 dev veth0", on(first, ["ip", "route", "get", "10.77.0.2"]))
        assert "state UP" in on(second, ["ip", "-oneline", "link", "show", "veth0"])
    assert os.uname().nodename == here


@needs_nodes
def test_arguments_are_quoted_as_for_ssh() -> None:
    with SimulatedNodes() as nodes:
        hosts = nodes.hosts(2)
        command = hosts.on_first(["printf", "%s|", "a b", "$HOME", "'"])
        assert subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout == "a b|$HOME|'|"
        # Launchers put options before the name of the host.
        assert on("-x", ["-q", next(iter(hosts.shares)), "echo 1; echo 2"]) == "1\n2\n"


@needs_nodes
def test_they_are_made_once_and_only_when_needed() -> None:
    with SimulatedNodes() as nodes:
        assert not set(own_names()) & set(namespace.existing())
        assert nodes.hosts(3).shares == dict(zip(own_names(), (1, 2), strict=True))
        assert nodes.hosts(3, 3).shares == dict(zip(own_names(), (3, 6), strict=True))  # two proxies beside each
        assert nodes.hosts(4).shares == dict(zip(own_names(), (2, 2), strict=True))
        assert set(own_names()) <= set(namespace.existing())


@needs_nodes
def test_an_error_leaves_nothing_and_ends_what_runs_there() -> None:
    with pytest.raises(ZeroDivisionError), SimulatedNodes() as nodes:  # noqa: PT012
        name = list(nodes.hosts(2).shares)[1]
        sleeper = subprocess.Popen([netns.AGENT, name, "exec sleep 600"])
        assert within(10, lambda: str(sleeper.pid) in namespace.ip("netns", "pids", name).split())
        1 / 0  # noqa: B018
    assert sleeper.wait(20) == -signal.SIGKILL


@needs_nodes
def test_nodes_that_are_made_by_half_are_cleared_away() -> None:
    _, second = own_names()
    namespace.ip("netns", "add", second)
    with pytest.raises(UserError, match=r"ip netns add .* failed: .*exists"), SimulatedNodes() as nodes:
        nodes.hosts(2)


@needs_nodes
def test_the_next_run_clears_away_what_a_killed_one_left() -> None:
    process, names, sleeper = hold()
    try:
        kill(process)
        assert set(names) <= set(namespace.existing())
        assert runs(sleeper)
        with SimulatedNodes() as nodes:
            nodes.hosts(2)
            assert not set(names) & set(namespace.existing())
        assert within(10, lambda: not runs(sleeper))
    finally:
        for name in names:
            namespace.remove(name)


@needs_nodes
def test_nobody_elses_nodes_are_cleared_away() -> None:
    process, names, sleeper = hold()
    foreign = f"test-{os.getpid()}"
    namespace.ip("netns", "add", foreign)
    try:
        with SimulatedNodes() as nodes:
            nodes.hosts(2)
        assert {*names, foreign} <= set(namespace.existing())
        assert runs(sleeper)
    finally:
        kill(process)
        for name in (*names, foreign):
            namespace.remove(name)


class TestUnavailable:
    @pytest.fixture(autouse=True)
    def forget(self) -> Iterator[None]:
        netns.unavailable.cache_clear()
        yield
        netns.unavailable.cache_clear()

    def test_without_root(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        assert "run raddle as root" in str(netns.unavailable())

    def test_without_the_commands(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert netns.unavailable() == "the command ip is missing: apt-get install iproute2"

    @needs_nodes
    def test_without_the_right_to(self) -> None:
        # A root that may do nothing with networks, as in a container.
        program = "from raddle.topology import netns; print(netns.unavailable())"
        command = ["setpriv", "--bounding-set=-net_admin,-sys_admin", sys.executable, "-c", program]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
        assert "failed" in said
        assert "--privileged" in said
