# SPDX-License-Identifier: BSD-3-Clause
"""Reading a directory: what is no run is refused with advice, what was cut off is reported with what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.notices import Notice
from raddle.report import page
from raddle.report.load import load
from raddle.verbs.report import report
from tests.report.synthetic import Recipe, write_run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich"]))


@pytest.mark.parametrize(
    ("name", "made", "why", "advice"),
    [
        ("none", "", "does not exist", "raddle run"),
        ("file", "file", "is not a directory", "raddle run"),
        (".", "", "is empty", "raddle run"),
        (".", "notes.txt", r"holds no launches\.jsonl", "raddle run"),
        (".", "launches.jsonl", "no launch was made", "--resume"),
        (".", "results.jsonl", "holds no rows", "raddle run"),
    ],
)
def test_what_is_no_run_is_refused_with_advice(tmp_path: Path, name: str, made: str, why: str, advice: str) -> None:
    if made:
        (tmp_path / made).touch()
    with pytest.raises(UserError, match=why) as raised:
        load(tmp_path / name)
    assert advice in raised.value.hint


def test_a_run_in_which_every_launch_died_says_why(tmp_path: Path) -> None:
    start = {"type": "start", "launch": "b0-x", "mpi": "mpich", "argv": [], "env": {}}
    died = {"type": "exit", "launch": "b0-x", "status": 139, "signal": 11, "log": []}
    (tmp_path / "launches.jsonl").write_text(f"{json.dumps(start)}\n{json.dumps(died)}\n")
    with pytest.raises(UserError, match="none measured anything: ended by signal 11"):
        load(tmp_path)


def test_a_killed_run_is_reported_with_what_is_missing(tmp_path: Path) -> None:
    write_run(tmp_path, Recipe(blocks=9, samples=6, sizes=[8], mpis=["mpich"], killed_after=30))
    report(tmp_path)
    alerts = {alert.name: alert for alert in page.alerts(load(tmp_path))}
    assert set(alerts) == {Notice.LAUNCH_DIED.value, Notice.RUN_CUT_OFF.value}
    assert alerts[Notice.RUN_CUT_OFF.value].where == "32 of 63 launches were not made"
    text = (tmp_path / "report.html").read_text()
    assert "32 of 63 launches were not made" in text
    assert "31 of 63 planned" in text
    assert (tmp_path / "results.jsonl").stat().st_size > 0


def test_a_repeated_launch_is_one_of_those_planned(tmp_path: Path) -> None:
    write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich"], killed_after=3))
    path = tmp_path / "launches.jsonl"
    lines = path.read_text().splitlines()
    planned = load(tmp_path).planned
    assert dict(page.provenance(load(tmp_path)))["launches"] == f"4 of {planned} planned"
    path.write_text("\n".join([*lines, *lines[:4], ""]))  # the first one once more
    assert dict(page.provenance(load(tmp_path)))["launches"] == f"4 of {planned} planned, 1 of them repeated"


def spoil(path: Path, content: bytes | None) -> None:
    path.unlink()
    if content is not None:
        path.write_bytes(content)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"schema": 1}', b'{"created": "\xff"}'])
def test_without_environment_the_numbers_are_still_shown(small: Path, content: bytes | None) -> None:
    spoil(small / "environment.json", content)
    data = load(small)
    assert data.environment is None
    assert data.mpis == ["mpich"]
    assert any("environment.json is missing" in notice.where for notice in page.notices(data))


def test_a_report_without_environment_says_so(small: Path) -> None:
    spoil(small / "environment.json", None)
    report(small)
    assert "nothing is known of where these numbers come from" in (small / "report.html").read_text()


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"launches": 3}', b'{"launches": [{"launch": "\xff"}]}'])
def test_without_plan_nothing_is_said_to_be_missing(small: Path, content: bytes | None) -> None:
    spoil(small / "plan.json", content)
    assert page.alerts(load(small)) == []


def test_all_files_are_written_and_again_the_same(tmp_path: Path) -> None:
    write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8, 4096], mpis=["intel"]))
    report(tmp_path)
    files = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    names = {str(path.relative_to(tmp_path)) for path in files}
    assert {"results.jsonl", "tables.csv", "report.html", "plots/latency.svg", "plots/latency.png"} <= names
    before = {path: path.read_bytes() for path in files}
    report(tmp_path)
    assert {path: path.read_bytes() for path in files} == before


def test_kept_results_make_the_same_report_but_for_what_only_launches_know(tmp_path: Path) -> None:
    write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich", "intel"]))
    whole = load(tmp_path)
    report(tmp_path)
    before = (tmp_path / "results.jsonl").read_bytes()
    for name in ("launches.jsonl", "plan.json"):
        (tmp_path / name).unlink()
    kept = load(tmp_path)
    assert kept.rows == whole.rows
    assert [sentence.ratio for sentence in kept.verdict] == [sentence.ratio for sentence in whole.verdict]
    assert Notice.LAUNCHES_NOT_KEPT in [notice.name for notice in page.notices(kept)]
    report(tmp_path)
    assert (tmp_path / "results.jsonl").read_bytes() == before
    text = (tmp_path / "report.html").read_text()
    assert "not kept" in text
    assert "How each variant ran" not in text


def test_limits_alone_are_a_result(tmp_path: Path) -> None:
    """`raddle run --variant physical`: there is no MPI, and the machine's own numbers are shown for themselves."""
    data = load(write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8, 4096], mpis=[])))
    assert data.mpis == ["none"]
    report(tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "what the machine does without one" in text
    assert 'id="latency"' in text
    assert 'id="matrix"' not in text


def test_what_the_plan_leaves_out_is_of_some_benchmarks_or_of_all(tmp_path: Path) -> None:
    write_run(tmp_path, Recipe(blocks=1, samples=4, sizes=[8], mpis=["mpich"]))
    plan = json.loads((tmp_path / "plan.json").read_text())
    about = {"mpi": "mpich", "points": 1, "reason": "no root"}
    plan["skipped"] = [
        {**about, "variant": "thread", "placements": ["netns", "node"]},
        {**about, "variant": "lane", "placements": ["node"], "benchmarks": ["latency"]},
    ]
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    assert load(tmp_path).skipped == {
        ("mpich", "thread", "netns", ""),
        ("mpich", "thread", "node", ""),
        ("mpich", "lane", "node", "latency"),
    }


@pytest.mark.parametrize("taken", ["results.jsonl", "tables.csv", "report.html", "plots"])
def test_what_cannot_be_written_is_no_matter_of_an_option(small: Path, taken: str) -> None:
    """`raddle report DIR` has no --out."""
    if taken == "plots":
        (small / taken).touch()
    else:
        (small / taken / "in the way").mkdir(parents=True)
    with pytest.raises(UserError, match=f"Cannot (write|make) .*{taken}: ") as raised:
        report(small)
    assert "--out" not in raised.value.hint
    assert "directory of the run" in raised.value.hint
