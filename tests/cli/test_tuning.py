# SPDX-License-Identifier: BSD-3-Clause
"""`tuned`: what is tried, how a winner is chosen, where it is kept, and that launches run with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from raddle.campaign import search as searching
from raddle.campaign.prepare import plan
from raddle.campaign.search import CHOOSING, DECIDING, DEFAULTS, Blocks, Search, choose, decide
from raddle.catalogue import catalogue
from raddle.environment import environment
from raddle.errors import UserError
from raddle.execute.signals import Signals
from raddle.mpi.family import families
from raddle.plan.request import Request
from raddle.plan.schedule import Launch
from raddle.tuning import tuned as keeping
from raddle.tuning.candidates import Candidate, candidates
from raddle.tuning.shapes import BANDWIDTH, LATENCY, RATE, WORKS, shape_of
from raddle.tuning.tuned import Choice, Tuned, keep, kept, words
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

FAST = Candidate(name="Fast, short", settings={"ALPHA_FAST": "1"}, loses="sleep")
SLOW = Candidate(name="slow", settings={"ALPHA_SLOW": "1"})
CHOICE = Choice(name=FAST.name, settings=FAST.settings, gain=2.0, interval=(1.8, 2.2), blocks=8, loses="sleep")
ALL = range(CHOOSING + DECIDING)


def blocks(value: float, which: range = ALL, wobble: float = 0.0) -> Blocks:
    return {block: value * (1 + wobble * (-1) ** block) for block in which}


def everything(value: float) -> dict[str, Blocks]:
    """A candidate that takes that many times as long as it might."""
    return {LATENCY: blocks(value), RATE: blocks(1e6 / value), BANDWIDTH: blocks(1e4 / value)}


def test_a_points_shape_is_that_of_its_messages_and_metric() -> None:
    known = catalogue().benchmarks
    assert shape_of(known["latency"], {"bytes": 8}) == LATENCY
    assert shape_of(known["msgrate"], {"bytes": 8}) == RATE
    assert shape_of(known["bandwidth"], {"bytes": 1024}) == RATE
    assert {shape_of(known[name], {"bytes": 1 << 20}) for name in ("latency", "msgrate", "bandwidth")} == {BANDWIDTH}
    assert shape_of(known["barrier"], {"threads": 1}) == LATENCY
    assert {shape_of(known[name], {"bytes": size}) for name, size in WORKS.values()} == set(WORKS)


@pytest.mark.parametrize("name", families())
def test_every_family_has_candidates_with_names_and_settings_of_their_own(name: str) -> None:
    tried = candidates(name)
    assert len({one.slug for one in tried}) == len(tried) >= 5
    assert DEFAULTS.slug not in {one.slug for one in tried}
    assert len({tuple(one.settings.items()) for one in tried}) == len(tried)
    assert all(one.settings for one in tried), "the defaults are always tried"


def test_the_best_median_of_each_shape_is_chosen_where_it_beats_the_defaults() -> None:
    found = {DEFAULTS.slug: everything(1.0), FAST.slug: everything(0.5), SLOW.slug: everything(2.0)}
    assert choose(found, [FAST, SLOW]) == dict.fromkeys(WORKS, FAST)
    assert choose(found, [SLOW]) == {}
    assert choose({DEFAULTS.slug: everything(1.0)}, [FAST]) == {}, "one that never ran"


def test_a_winner_needs_an_interval_over_blocks_that_did_not_choose_it() -> None:
    found = {DEFAULTS.slug: everything(1.0), FAST.slug: everything(0.5)}
    won = decide(found, dict.fromkeys(WORKS, FAST))
    assert set(won) == set(WORKS)
    assert all(one.gain == pytest.approx(2.0) and one.blocks == DECIDING for one in won.values())
    assert (won[RATE].settings, won[RATE].loses) == (FAST.settings, "sleep")
    lucky = {LATENCY: blocks(0.1, range(CHOOSING)) | blocks(1.0, range(CHOOSING, CHOOSING + DECIDING), 0.1)}
    assert decide({DEFAULTS.slug: everything(1.0), FAST.slug: lucky}, {LATENCY: FAST}) == {}
    few = {LATENCY: blocks(0.5, range(CHOOSING + 5))}
    assert decide({DEFAULTS.slug: everything(1.0), FAST.slug: few}, {LATENCY: FAST}) == {}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    return tmp_path


def test_what_was_found_is_kept_until_something_it_depends_on_is_another(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpi, found = fakes.mpi(home, fakes.family()), Tuned(shapes={RATE: CHOICE}, tried=[FAST.name])
    assert kept(mpi, [FAST]) is None
    keep(mpi, [FAST], found)
    assert kept(mpi, [FAST]) == found
    assert kept(replace(mpi, library="Fake 2"), [FAST]) is None
    assert kept(replace(mpi, version="2.0"), [FAST]) is None
    assert kept(mpi, [FAST, SLOW]) is None
    monkeypatch.setattr(keeping, "allowed_cpus", lambda: [0])
    assert kept(mpi, [FAST]) is None


def test_a_damaged_or_unwritable_cache_costs_a_search(home: Path) -> None:
    mpi = fakes.mpi(home, fakes.family())
    keep(mpi, [FAST], Tuned())
    (file,) = (home / "home" / "tuned").iterdir()
    file.write_text("{")
    assert kept(mpi, [FAST]) is None
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("no directory")
    keep(mpi, [FAST], Tuned())


def planned(home: Path, tuned: dict[str, Tuned]) -> list[Launch]:
    request = Request(mode="quick", variants=["process", "tuned"], benchmarks=["msgrate", "latency"])
    mpis = {"alpha": fakes.mpi(home, fakes.family())}
    return plan(request.checked(catalogue()), catalogue(), mpis, cpus=2, seed=1, blocks=1, tuned=tuned).launches


def test_points_of_a_shape_run_with_what_was_found_for_it(home: Path) -> None:
    launches = planned(home, {"alpha": Tuned(shapes={RATE: CHOICE})})
    small = {
        (one.benchmark, variant, "ALPHA_FAST" in launch.env)
        for launch in launches
        for one in launch.sets
        for variant in one.variants
        if one.params["bytes"] == 8
    }
    assert ("msgrate", "tuned", True) in small
    assert not any(each[:2] == ("latency", "tuned") for each in small), "nothing was found for it: that is process"
    assert ("msgrate", "process", True) not in small
    assert {launch.level for launch in launches if launch.mpi == "alpha"} == {"single"}


def test_what_nobody_has_searched_for_is_planned_as_it_comes(home: Path) -> None:
    variants = {(one.benchmark, each) for launch in planned(home, {}) for one in launch.sets for each in one.variants}
    assert {("latency", "tuned"), ("msgrate", "tuned")} <= variants


def test_unasked_nothing_is_tuned(home: Path) -> None:
    mpis = {"alpha": fakes.mpi(home, fakes.family())}
    launches = plan(Request(mode="quick").checked(catalogue()), catalogue(), mpis, cpus=2, seed=1).launches
    assert all("tuned" not in one.variants for launch in launches for one in launch.sets)


def test_the_record_of_a_run_has_the_settings(home: Path) -> None:
    mpis = {"alpha": fakes.mpi(home, fakes.family())}
    (record,) = environment([], 1, mpis, tuned={"alpha": Tuned(shapes={RATE: CHOICE})}).mpis
    assert msgspec.convert(record.tuned, dict[str, Choice]) == {RATE: CHOICE}
    (line,) = words("Alpha MPI 1.0", {RATE: CHOICE})
    assert line == "tuned: Alpha MPI 1.0, rate: ALPHA_FAST=1, 2.00x [1.80, 2.20] as fast (sleep)"
    assert "as it comes" in words("Alpha MPI 1.0", {})[0]


def searched(home: Path, tried: list[Candidate]) -> tuple[Tuned, list[str]]:
    """A search with a program that obeys the protocol, and all that was said."""
    said: list[str] = []
    program = fakes.programs(home / "bin") / "raddle-bench"
    with Signals() as signals:
        found = Search(fakes.mpi(home, fakes.family()), program, tried, signals, said.append).conduct()
    return found, said


def test_a_search_launches_every_candidate_in_every_block(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CHOOSING", 2)
    monkeypatch.setattr(searching, "DECIDING", 1)
    found, said = searched(home, [FAST, SLOW])
    assert found.tried == [FAST.name, SLOW.name]
    assert found.failed == {}
    assert found.shapes == {}, "no interval from one block"
    for one in (DEFAULTS, FAST, SLOW):
        assert sum(f": {one.name} (" in line for line in said) >= 2


def test_one_that_does_not_start_is_dropped_and_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CHOOSING", 2)
    monkeypatch.setattr(searching, "DECIDING", 1)
    broken = Candidate(name="broken", settings={"FAKE_BENCH": "crash"})
    found, said = searched(home, [broken])
    assert list(found.failed) == ["broken"]
    assert sum(": broken (" in line for line in said) == 1, "not tried again"


def test_defaults_that_do_not_start_are_an_error(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_BENCH", "crash")
    with pytest.raises(UserError, match=r"Alpha MPI 1\.0 cannot be tuned"):
        searched(home, [FAST])
