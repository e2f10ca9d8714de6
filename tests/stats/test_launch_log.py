# SPDX-License-Identifier: BSD-3-Clause
"""Reading what launches printed, however a run ended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.results.launch_log import launch_env, parse_launches, read_launches, variant_env, version_in
from tests.stats.builders import LIBRARY, launch_lines, row_line


def test_a_whole_launch() -> None:
    log = parse_launches(launch_lines("b0-x", [row_line("b0-x", 0, [1.0])], env={"A": "1"}, mpi="openmpi"))
    assert not log.unreadable
    [one] = log.launches
    assert (one.id, one.mpi, one.mpi_version, one.profile) == ("b0-x", "openmpi", "5.0.11", "clean")
    assert one.env == {"A": "1"}
    assert [row.samples for row in one.rows] == [[1.0]]
    assert not one.died


def test_every_cut_keeps_all_lines_before_it() -> None:
    """A run may be killed at any byte."""
    text = "\n".join(launch_lines("a", [row_line("a", 0, [1.0, 2.0]), row_line("a", 0, [3.0], variant="lane")])) + "\n"
    ends = [i for i, c in enumerate(text) if c == "\n"]
    for cut in range(len(text)):
        log = parse_launches(text[:cut].split("\n"))
        whole = sum(end <= cut for end in ends)
        if whole < 1:
            continue
        [one] = log.launches
        assert len(one.rows) == min(max(whole - 2, 0), 2)
        assert len(log.unreadable) <= 1
        assert one.died == (whole < 5)


def test_a_file_cut_inside_a_character(tmp_path: Path) -> None:
    lines = "\n".join(launch_lines("a", [row_line("a", 0, [1.0])])).encode()
    (tmp_path / "launches.jsonl").write_bytes(lines + b'\n{"type":"row","launch":"\xc3')
    log = read_launches(tmp_path / "launches.jsonl")
    assert len(log.launches[0].rows) == 1
    assert [number for number, _ in log.unreadable] == [6]


def test_chatter_is_ignored_and_broken_records_are_kept_account_of() -> None:
    good = launch_lines("a", [row_line("a", 0, [1.0])])
    bad = row_line("a", 0, [1.0])
    del bad["metric"]
    odd = [
        "libfabric:12:warn: something", "", "   ", "[1, 2]", "17", '{"no": "type"}',  # chatter
        '{"type": "row", "launch": "a"', json.dumps(bad), json.dumps(row_line("a", 0, [])),  # broken
        '{"type": "song", "launch": "a"}', '{"type": "end"}',
    ]  # fmt: skip
    log = parse_launches(good[:3] + odd + good[3:])
    assert [len(one.rows) for one in log.launches] == [1]
    assert [number for number, _ in log.unreadable] == [10, 11, 12, 13, 14]
    assert "metric" in log.unreadable[1][1]


def test_a_repeated_launch_is_a_second_attempt() -> None:
    first = launch_lines("a", [row_line("a", 0, [1.0])])[:3]
    second = launch_lines("a", [row_line("a", 0, [2.0])])
    log = parse_launches(first + second)
    assert [(one.id, one.died, one.rows[0].samples) for one in log.launches] == [
        ("a", True, [1.0]),
        ("a", False, [2.0]),
    ]


def test_lines_of_two_launches_may_be_mixed() -> None:
    a, b = launch_lines("a", [row_line("a", 0, [1.0])]), launch_lines("b", [row_line("b", 0, [2.0])])
    log = parse_launches([each for pair in zip(a, b, strict=True) for each in pair])
    assert [(one.id, one.rows[0].samples, one.died) for one in log.launches] == [
        ("a", [1.0], False),
        ("b", [2.0], False),
    ]


def test_a_row_without_its_launch_line_knows_what_was_planned() -> None:
    lines = launch_lines("a", [row_line("a", 0, [1.0])], mpi="intel", profile="shared")
    [one] = parse_launches([lines[0], lines[2]]).launches
    assert (one.mpi, one.profile, one.mpi_version) == ("intel", "shared", "")
    [lost] = parse_launches([lines[2]]).launches
    assert (lost.mpi, len(lost.rows)) == ("unknown", 1)


@pytest.mark.parametrize(
    ("name", "version"), [("mpich", "5.0.2"), ("openmpi", "5.0.11"), ("intel", "2021.18"), ("none", "")]
)
def test_version(name: str, version: str) -> None:
    assert version_in(LIBRARY[name]) == version


def test_version_of_a_prerelease() -> None:
    assert version_in("MPICH Version:      4.3.0b1") == "4.3.0b1"


def test_environment_of_a_variant_is_that_of_a_clean_launch() -> None:
    shared = launch_lines(
        "s", [row_line("s", 0, [1.0], variant="lane")], profile="shared", env={"VCIS": "2", "YIELD": "1"}
    )
    clean = launch_lines("c", [row_line("c", 0, [1.0], variant="lane")], env={"VCIS": "2"})
    process = launch_lines("p", [row_line("p", 0, [1.0], variant="process")])
    found = variant_env(parse_launches(shared + clean + process).launches)
    assert found == {"mpich": {"lane": {"VCIS": "2"}, "process": {}}}


def test_environment_of_a_launch_is_that_of_its_last_attempt() -> None:
    lines = launch_lines("a", [], env={"A": "1"}) + launch_lines("a", [], env={"A": "2"}) + launch_lines("b", [])
    assert launch_env(parse_launches(lines).launches) == {"a": {"A": "2"}, "b": {}}


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"launches\.jsonl") as caught:
        read_launches(tmp_path / "launches.jsonl")
    assert caught.value.hint
