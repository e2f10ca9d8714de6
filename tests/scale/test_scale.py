# SPDX-License-Identifier: BSD-3-Clause
"""Predictions for machines that are not there: parameters, the model, and where algorithms change places."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from raddle.errors import UserError
from raddle.scale.algorithms import ALGORITHMS
from raddle.scale.crossover import Range, ranges
from raddle.scale.parameters import LogGP, machine, parse, written
from raddle.scale.prediction import predict, sizes
from raddle.scale.workload import Workload
from tests.cli.command import Raddle

CLUSTER = "L=1.2us,o=0.35us,g=0.1us,G=0.05ns/B"


def at(ranks: int, *, neighbours: float = 16, payload: int = 1024, per_node: int = 1) -> dict[str, Any]:
    prediction = predict(
        machine(parse(CLUSTER), per_node), Workload(ranks=ranks, payload=payload, neighbours=neighbours), [ranks]
    )
    return prediction.costs[0]


def same(a: LogGP, b: LogGP) -> bool:
    return all(isclose(getattr(a, name), getattr(b, name)) for name in ("L", "o", "g", "G"))


def test_parameters_are_read_in_their_units() -> None:
    found = parse("L=1.2us,o=350ns,G=0.05ns/B,node.L=1 us,node.o=0.1us,node.g=50ns,node.G=100 ps/B")
    assert same(found["between"], LogGP(L=1.2e-6, o=3.5e-7, g=3.5e-7, G=5e-11))
    assert same(found["within"], LogGP(L=1e-6, o=1e-7, g=5e-8, G=1e-10))


def test_parameters_are_kept_in_a_file(tmp_path: Path) -> None:
    found = parse(CLUSTER)
    (tmp_path / "mine.toml").write_text(written(found), encoding="utf-8")
    assert same(parse(str(tmp_path / "mine.toml"))["between"], found["between"])


@pytest.mark.parametrize("seconds", [1e-12, 3.7e-7, 0.0123456, 12.3456])
def test_what_is_written_is_read(tmp_path: Path, seconds: float) -> None:
    slow = LogGP(L=seconds, o=seconds, g=seconds, G=seconds)
    (tmp_path / "mine.toml").write_text(written({"between": slow}), encoding="utf-8")
    found = parse(str(tmp_path / "mine.toml"))["between"]
    assert isclose(found.L, seconds, rel_tol=1e-3)
    assert isclose(found.G, seconds, rel_tol=1e-3)


@pytest.mark.parametrize(
    ("content", "said"), [(b"L = ", "mine.toml: "), (b'L = "\xff"', "mine.toml is not UTF-8 text")]
)
def test_a_file_that_is_none_of_parameters_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "mine.toml").write_bytes(content)
    with pytest.raises(UserError, match=said):
        parse(str(tmp_path / "mine.toml"))


@pytest.mark.parametrize("fraction", ["0", "-1", "nan", "1.5"])
def test_a_part_of_the_ranks_is_more_than_none(tmp_path: Path, fraction: str) -> None:
    done = Raddle(tmp_path)("model", "dsde", "--parameters", CLUSTER, "--ranks", "64", "--fraction", fraction)
    assert done.returncode == 2
    assert "--fraction" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("L=1us,o=1us", "G is missing"),
        ("L=1,o=1us,G=1ns/B", "L cannot be '1'"),
        ("L=1us,o=1us,G=1ns", "G cannot be '1ns'"),
        ("L=1us,o=1us,G=1ns/B,x=1us", "no parameter 'x'"),
        ("nowhere.toml", "Cannot read nowhere.toml"),
    ],
)
def test_bad_parameters_are_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse(text)


def test_ranks_are_powers_and_lists() -> None:
    assert sizes("2^10..2^12") == [1024, 2048, 4096]
    assert sizes("448,64") == [64, 448]
    for wrong in ("1", "2^31", "8..4", "many"):
        with pytest.raises(UserError):
            sizes(wrong)


def test_memory_is_what_the_paper_says() -> None:
    """O(P) for all that count for every rank, O(k) for the census."""
    small, large = at(2**12), at(2**16)
    for name in ("alltoallv", "pex", "pcx"):
        assert large[name].memory > 8 * small[name].memory, name
    for name in ("nbx", "rsx"):
        assert large[name].memory < 1.5 * small[name].memory, name


def test_locality_knows_who_is_where_unless_all_are_on_one_node() -> None:
    """At least three numbers for each rank (src/sparse/exchange_lane.hpp)."""
    kept = {ranks: at(ranks, per_node=64)["locality"].memory for ranks in (64, 2**12, 2**16)}
    assert kept[2**16] - kept[2**12] > 3 * 4 * (2**16 - 2**12)
    assert kept[64] < 3 * at(64, per_node=64)["nbx"].memory + 2 * 16 * (1024 + 16)


def test_the_census_wins_on_large_machines() -> None:
    """As Hoefler, Siebert and Lumsdaine found: what grows with P loses to what grows with log P."""
    large = at(2**20)
    for name in ("alltoallv", "pex", "pcx"):
        assert large["nbx"].seconds < large[name].seconds / 3, name
    assert at(2**10)["pcx"].seconds < at(2**10)["nbx"].seconds


def test_locality_sends_fewer_messages_where_many_neighbours_share_nodes() -> None:
    costs = at(64 * 56, neighbours=448, per_node=56)
    assert costs["locality"].messages < costs["nbx"].messages / 2


def test_ranks_share_cores_only_as_far_as_there_are_ranks() -> None:
    crowded = machine(parse(CLUSTER), per_node=32, cores=2)
    assert [crowded.crowd(ranks) for ranks in (2, 4, 32, 64)] == [1, 2, 16, 16]
    assert machine(parse(CLUSTER), per_node=32).crowd(64) == 1


def test_more_ranks_than_cores_are_warned_of(tmp_path: Path) -> None:
    for ranks, warned in (("2", False), ("8", True)):
        done = Raddle(tmp_path)(
            "model", "dsde", "--parameters", CLUSTER, "--ranks", ranks, "--ranks-per-node", "8", "--cores", "2"
        )
        assert done.returncode == 0, done.stderr
        assert ("More ranks than cores" in done.stdout) == warned


def test_all_grow_with_the_payload() -> None:
    for name, cost in at(1024, payload=1 << 20).items():
        assert cost.seconds > at(1024)[name].seconds, name


def test_the_size_is_found_from_which_on_another_one_is_faster() -> None:
    assert ranges(lambda ranks: "few" if ranks < 777 else "many", [64, 512, 1024, 4096]) == [
        Range("few", 64, 776),
        Range("many", 777, 4096),
    ]


def test_the_command_tells_it_as_json(tmp_path: Path) -> None:
    done = Raddle(tmp_path)("model", "dsde", "--parameters", CLUSTER, "--ranks", "2^10..2^11", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert {(one["ranks"], one["algorithm"]) for one in document["predictions"]} == {
        (ranks, name) for ranks in (1024, 2048) for name in ALGORITHMS
    }
    assert all(one["seconds"] > 0 for one in document["predictions"])


def test_what_is_measured_for_it_says_nothing_in_between(tmp_path: Path) -> None:
    done = Raddle(tmp_path)("model", "dsde", "--mpi", "alpha", "--ranks", "64", "--json", FAKE_REPORT="1")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fits"]["within"]["mpi"] == "alpha"


def test_the_command_fits_80_columns(tmp_path: Path) -> None:
    done = Raddle(tmp_path)("model", "dsde", "--parameters", CLUSTER, COLUMNS="80")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "Fastest:" in done.stdout


def test_without_parameters_it_says_what_to_give(tmp_path: Path) -> None:
    done = Raddle(tmp_path)("model", "dsde")
    assert done.returncode != 0
    assert "--parameters" in done.stderr
