# SPDX-License-Identifier: BSD-3-Clause
"""The three forms: nothing without an interval or the words for its absence, nothing that breaks the page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from raddle.compare import words
from raddle.compare.document import document
from raddle.compare.markdown import markdown
from raddle.compare.points import Comparison, compare
from raddle.compare.sides import Side
from raddle.compare.table import table
from tests.compare.runs import STEADY, after, before, compared, known_environment, times
from tests.stats.builders import result_row

DOCS = Path(__file__).parents[2] / "docs" / "use" / "compare.md"


def printed(comparison: Comparison, width: int = 80) -> list[str]:
    console = Console(width=width, force_terminal=False, highlight=False)
    with console.capture() as captured:
        console.print(table(comparison))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_the_table_of_known_rows() -> None:
    lines = printed(compared(before(), after()))
    assert lines[: lines.index("") + 1 + 15] == [
        "4 points: 1 worse, 1 better, 1 no difference shown, 1 n too small",
        "A  old",
        "B  new",
        "! A has no readable environment.json: whether it is the same machine is unknown",
        "! B has no readable environment.json: whether it is the same machine is unknown",
        "",
        "B as a multiple of A; above 1 is better, whatever the metric.",
        "Worse",
        "  latency thread, mpich, 8 B, node              104 → 208 µs  0.50x [0.48, 0.52]",
        "Better",
        "  msgrate thread, mpich, 8 B, node           104 → 416 msg/s  4.00x [3.84, 4.17]",
        "No difference shown",
        "  latency process, mpich, 8 B, node             104 → 104 µs  1.00x [0.96, 1.04]",
        "n too small",
        "  bandwidth lane, mpich, 8 B, node          2.00 → 9.00 MB/s  4.50x n = 3",
        "Only in A",
        "  msgrate threadcomm, mpich, 8 B, node",
        "Only in B",
        "  msgrate lane, mpich, 8 B, node",
        "",
        "Intervals (95 %) are unpaired: blocks of two runs were not measured side by",
    ]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_fits_any_width(width: int) -> None:
    assert max(map(cell_len, printed(compared(before(), after()), width))) <= width


def test_intervals_do_not_wrap_at_80_columns() -> None:
    a, b = (
        [
            result_row(
                "msgrate", "threadcomm", times(factor), mpi="openmpi-2", placement="one-process", profile="shared",
                threads=16, window=32,
            )
        ]
        for factor in (1e4, 1.7e5)
    )  # fmt: skip
    lines = printed(compared(a, b))
    assert [line for line in lines if "[16.3, 17.7]" in line and "1.04 → 17.7 M msg/s" in line]
    assert max(map(cell_len, lines)) <= 80


def test_two_mpis_of_one_run_need_no_caveat() -> None:
    rows = [result_row("msgrate", "thread", times(factor), mpi=mpi) for mpi, factor in (("mpich", 1), ("intel", 2))]
    run = Side(Path("run"), rows, None)
    text = "\n".join(printed(compare(run.of("mpich"), run.of("intel"))))
    assert "A  mpich, run" in text
    assert "paired by block" in text
    assert "environment.json" not in text
    assert "msgrate thread, 8 B, node" in text


def test_where_it_comes_from_and_what_is_flagged() -> None:
    flags = ["preempted", "n-too-small", "oversubscribed", "from-the-future"]
    old = Side(Path("old"), [result_row("msgrate", "thread", STEADY, flags=flags)], known_environment(commit="a" * 40))
    new = replace(old, directory=Path("new"), environment=known_environment(commit="b" * 40 + "-dirty", compiler="icx"))
    text = "\n".join(printed(compare(old, new)))
    assert "A  old, 2026-11-21T20:30:00+00:00, commit aaaaaaaaaa\n" in text
    assert "commit bbbbbbbbbb-dirty\n" in text
    assert "! compiler: g++ 12.2.0 in A, icx in B" in text
    assert re.findall(r"! (\S+): 1 of 1 points", text) == ["from-the-future", "preempted"]


def test_markdown_has_what_changed_in_the_open_and_the_rest_folded() -> None:
    text = markdown(compared(before(), after()), percent=5)
    opened, folded = text.split("<details>", 1)
    assert opened.startswith("### 4 points: 1 worse, 1 better, 1 no difference shown, 1 n too small\n")
    assert "| latency thread, mpich, 8 B, node | 104 | 208 | µs | 0.50x | \\[0.48, 0.52\\] | worse |" in opened
    assert "failed: 1 of 4 points shown to be worse by more than 5 %" in opened
    assert "| 4.50x |  | n too small (3) |" in folded
    assert "1 only in A" in folded
    assert text.count("<details>") == text.count("</details>") == 3


def test_markdown_shows_hostile_names_as_they_are() -> None:
    rows = [result_row("msgrate", "a|b\n<img src=x>`*_", STEADY, mpi="@all")]
    text = markdown(compared(rows, rows))
    row = next(line for line in text.splitlines() if line.startswith("| msgrate"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 8
    assert "a\\|b \\<img src=x\\>\\`\\*\\_, \\@all" in row


def test_json_is_what_the_documentation_says() -> None:
    content = json.loads(document(compared(before(), after()), percent=5))
    point = content["points"][0]
    documented = set(re.findall(r"^\| `([^|]+)` \|", DOCS.read_text(), re.MULTILINE))
    names = {name for line in documented for name in line.split("`, `")}
    assert names == {*content, *content["a"], *point, *point["a"]}
    assert (content["schema"], content["paired"], content["failed"]) == (1, False, True)
    assert [each["outcome"] for each in content["points"]] == ["worse", "better", "no difference shown", "n too small"]
    assert point["interval"] == pytest.approx([0.481, 0.520], abs=1e-3)
    assert [each["failed"] for each in content["points"]] == [True, False, False, False]
    assert content["only_a"][0]["variant"] == "threadcomm"


@pytest.mark.parametrize(
    ("percent", "expected"),
    [
        (5, "--fail-above 5 failed: 1 of 4 points shown to be worse by more than 5 % "),
        (60, "--fail-above 60 passed: no point is shown to be worse by more than 60 % "),
    ],
)
def test_the_limit_says_what_it_could_not_judge(percent: float, expected: str) -> None:
    said = words.limit_words(compared(before(), after()), percent)
    assert said == f"{expected}(not judged: 1 without an interval, 1 only in A)"


def test_a_metric_that_is_not_the_usual_one_is_named() -> None:
    row = result_row("latency", "thread", STEADY, profile="shared", threads=2, mpi="x")
    row.metric = "p99"
    assert words.label(row) == "latency thread, x, p99, 8 B, 2 pairs at once, node, shared"
    row.params = {}
    row.benchmark = "new"
    assert words.label(row) == "new thread, x, p99, shared"
