# SPDX-License-Identifier: BSD-3-Clause
"""Reading the two sides, and what is said when that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.compare.sides import narrowed, read_sides
from raddle.errors import UserError
from raddle.results.launch_log import read_launches
from raddle.results.merge import merge
from tests.compare.runs import STEADY, before, write
from tests.report.synthetic import Recipe, write_run
from tests.stats.builders import result_row


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run", [*before(), result_row("msgrate", "thread", STEADY, mpi="intel")])


def test_a_directory_without_results_is_read_from_its_launches_and_not_written(tmp_path: Path, run: Path) -> None:
    cut = write_run(tmp_path / "cut", Recipe(blocks=2, samples=4, sizes=[8], mpis=["mpich"], killed_after=9))
    files = sorted(cut.iterdir())
    _, side = read_sides(run, cut, [])
    assert side.rows == merge(read_launches(cut / "launches.jsonl").launches)
    assert side.environment is not None
    assert sorted(cut.iterdir()) == files


def test_two_mpis_of_one_run_or_of_two(tmp_path: Path, run: Path) -> None:
    other = write(tmp_path / "other", before())
    for second, names, expected in [
        (None, ["mpich", "intel"], ("mpich", "intel")),
        (run, ["intel", "mpich"], ("intel", "mpich")),
        (other, ["intel", "mpich"], ("intel", "mpich")),
        (other, ["mpich"], ("mpich", "mpich")),
    ]:
        a, b = read_sides(run, second, names)
        assert (a.mpi, b.mpi) == expected
        assert {row.mpi for row in a.rows} == {expected[0]}
        assert (a.directory, b.directory) == (run, other if second == other else run)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "only one directory"),
        (["mpich"], "only one directory"),
        (["mpich", "intel", "openmpi"], "3 MPIs"),
        (["mpich", "intl"], "Did you mean 'intel'"),
    ],
)
def test_bad_requests_about_one_run(run: Path, names: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_sides(run, None, names)
    assert caught.value.hint


def test_a_run_and_itself_by_another_name(run: Path) -> None:
    (link := run.parent / "latest").symlink_to(run)
    with pytest.raises(UserError, match="the same"):
        read_sides(run, link, [])


@pytest.mark.parametrize("names", [([], ["lan"]), (["msgrat"], [])])
def test_filters_know_what_was_measured(run: Path, names: tuple[list[str], list[str]]) -> None:
    with pytest.raises(UserError, match="Did you mean"):
        narrowed(read_sides(run, None, ["mpich", "intel"]), *names)


def test_filters_choose(run: Path) -> None:
    a, _ = narrowed(read_sides(run, None, ["mpich", "intel"]), ["latency", "bandwidth"], ["thread", "lane"])
    assert {(row.benchmark, row.variant) for row in a.rows} == {("latency", "thread"), ("bandwidth", "lane")}


@pytest.mark.parametrize("content", [b"", b"\n", b"{", b'{"schema": 2}', b"\xff\xfe", b"[]"])
def test_a_file_that_holds_no_results(tmp_path: Path, run: Path, content: bytes) -> None:
    bad = write(tmp_path / "bad", [])
    (bad / "results.jsonl").write_bytes(content)
    with pytest.raises(UserError, match=r"results\.jsonl") as caught:
        read_sides(run, bad, [])
    assert caught.value.hint


def test_blocks_without_ids(tmp_path: Path, run: Path) -> None:
    bad = write(tmp_path / "bad", [result_row("latency", "thread", STEADY, block_ids=[1])])
    with pytest.raises(UserError, match="row 1: 9 blocks with 1 block ids"):
        read_sides(run, bad, [])


def test_no_directory_and_an_empty_one(tmp_path: Path, run: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name, message in [
        ("nowhere", "does not exist"),
        ("empty", "is empty"),
        ("run/results.jsonl", "not a directory"),
    ]:
        with pytest.raises(UserError, match=message):
            read_sides(run, tmp_path / name, [])


@pytest.mark.parametrize("content", [None, "", "{}", "not JSON"])
def test_an_unreadable_environment_is_no_reason_to_stop(run: Path, content: str | None) -> None:
    path = run / "environment.json"
    path.unlink() if content is None else path.write_text(content)
    assert read_sides(run, None, ["mpich", "intel"])[0].environment is None
