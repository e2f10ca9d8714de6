# SPDX-License-Identifier: BSD-3-Clause
"""The order of launches, and the plan that keeps it."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.campaign.prepare import plan
from raddle.catalogue import catalogue
from raddle.errors import UserError
from raddle.model import Plan
from raddle.plan import FILE
from raddle.plan.document import Document
from raddle.plan.launches import Group
from raddle.plan.request import Request
from raddle.plan.schedule import block
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)


def group(number: int) -> Group:
    """A kind of launch."""
    sets = fakes.launch(sizes=(1, 2, 3)).sets
    return Group(f"alpha-{number}", "alpha", "multiple", 2, "clean", {}, "node", sets)


GROUPS = [group(number) for number in range(12)]


def document(directory: Path, seed: int = 7, blocks: int | None = None, mode: str = "quick") -> Document:
    """The plan of a run with two MPIs."""
    mpis = {name: fakes.mpi(directory, fakes.family(name)) for name in ("alpha", "beta")}
    request = Request(mode=mode, benchmarks=["msgrate"]).checked(catalogue())
    return plan(request, catalogue(), mpis, cpus=2, seed=seed, blocks=blocks)


@given(st.integers(0, 2**32 - 1), st.integers(0, 40))
def test_a_block_holds_every_launch_once(seed: int, number: int) -> None:
    launches = block(GROUPS, number, seed, fakes.SAMPLING)
    assert Counter(one.kind for one in launches) == Counter(one.name for one in GROUPS)
    assert all(one.launch == f"b{number}-{one.kind}" and one.block == number for one in launches)
    assert all(sorted(map(str, one.sets)) == sorted(map(str, GROUPS[0].sets)) for one in launches)
    assert len({one.seed for one in launches}) == len(launches)


@given(st.permutations(GROUPS))
def test_order_depends_on_nothing_but_the_seed(shuffled: list[Group]) -> None:
    assert block(shuffled, 3, 42, fakes.SAMPLING) == block(GROUPS, 3, 42, fakes.SAMPLING)


def test_blocks_and_seeds_differ() -> None:
    orders = {
        tuple(one.kind for one in block(GROUPS, number, seed, fakes.SAMPLING)) for number in range(5) for seed in (1, 2)
    }
    assert len(orders) == 10


def test_every_launch_comes_first_about_equally_often() -> None:
    firsts = Counter(block(GROUPS, number, 5, fakes.SAMPLING)[0].kind for number in range(1200))
    assert len(firsts) == 12
    assert max(firsts.values()) < 150  # 100 expected, standard deviation below 10


def test_the_limit_is_measured_in_every_block(tmp_path: Path) -> None:
    planned = document(tmp_path)
    assert planned.blocks == 6
    assert [one.block for one in planned.launches if one.mpi == "none"] == list(range(6))


def test_the_program_reads_the_contract_and_nothing_else() -> None:
    keys = set(json.loads(msgspec.json.encode(fakes.launch().plan())))
    assert keys == set(Plan.__struct_fields__)


def test_plan_comes_back_from_its_file(tmp_path: Path) -> None:
    planned = document(tmp_path)
    planned.save(tmp_path)
    assert Document.load(tmp_path) == planned
    assert [path.name for path in tmp_path.glob("*plan*")] == [FILE]


def test_resumed_run_goes_on_with_the_same_blocks(tmp_path: Path) -> None:
    whole = document(tmp_path, blocks=8)
    short = document(tmp_path, blocks=6)
    short.save(tmp_path)
    resumed = Document.load(tmp_path)
    resumed.add_block()
    resumed.add_block()
    assert resumed.launches == whole.launches


def test_only_publishing_is_open_ended(tmp_path: Path) -> None:
    assert not document(tmp_path).open_ended
    assert document(tmp_path, mode="publish").open_ended
    assert not document(tmp_path, mode="publish", blocks=3).open_ended


def test_missing_plan(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no plan to go on with"):
        Document.load(tmp_path)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"{}", b'{"schema": 1, "launches": [{"launch": 3}]}', b'{"created": "\xff"}']
)
def test_damaged_plan(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE).write_bytes(text)
    with pytest.raises(UserError, match="damaged or from another version") as caught:
        Document.load(tmp_path)
    assert "raddle report" in caught.value.hint


def test_plan_of_another_schema(tmp_path: Path) -> None:
    planned = document(tmp_path)
    planned.schema = 2
    planned.save(tmp_path)
    with pytest.raises(UserError, match="schema 2"):
        Document.load(tmp_path)


@pytest.mark.parametrize(("asked", "expected"), [("spread", "compact"), ("compact", "compact"), ("none", "none")])
def test_threads_leave_proxies_the_cpus_behind_their_own(asked: str, expected: str) -> None:
    proxied = dataclasses.replace(GROUPS[0], proxies=1)
    pins = {
        one.proxies: one.pin for one in block([proxied, GROUPS[1]], 0, 1, catalogue().modes["quick"].sampling, asked)
    }
    assert pins == {1: expected, 0: asked}
