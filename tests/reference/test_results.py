# SPDX-License-Identifier: BSD-3-Clause
"""`make results`: pages of runs are made again from what is kept of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import write_results

from raddle.environment import read_environment
from raddle.errors import UserError
from raddle.results.rows import COMPRESSED, read_results, results_file
from raddle.results.rows import write_results as write_rows

RESULTS = Path(__file__).parents[2] / "docs/results"
RUN = "2026-11-26-ep-overhead-2core"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """One small run, of which only what cannot be made again is there, and a page to put it in."""
    (tmp_path / RUN).mkdir()
    for name in (COMPRESSED, "environment.json"):
        shutil.copy(RESULTS / RUN / name, tmp_path / RUN / name)
    (tmp_path / "runs.toml").write_text(f'[shows]\n{RUN} = "overhead"\n', encoding="utf-8")
    page = f"Before.\n\n{write_results._BEGIN}old\n{write_results._END}\nAfter.\n"
    (tmp_path / "README.md").write_text(page, encoding="utf-8")
    return tmp_path


def test_the_table_is_that_of_the_runs() -> None:
    page = (RESULTS / "README.md").read_text(encoding="utf-8")
    assert write_results.with_table(page, RESULTS) == page, "run tools/write_results.py --table"
    rows = write_results.table(RESULTS, **write_results.told(RESULTS)).splitlines()
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {len(write_results._COLUMNS) + 1}


def test_commits_that_the_history_lacks_are_said_to_be_lost() -> None:
    asked = ["git", "-C", str(RESULTS), "rev-parse", "--is-shallow-repository"]
    if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() != "false":
        pytest.skip("there is no history, or not all of it")
    found = [read_environment(path.parent) for path in RESULTS.glob("*/environment.json")]
    commits = sorted({one.commit[:12] for one in found if one})
    there = subprocess.run(
        ["git", "-C", str(RESULTS), "rev-list", "HEAD"], capture_output=True, text=True, check=True
    ).stdout
    assert [each for each in commits if f"\n{each}" not in f"\n{there}"] == write_results.told(RESULTS)["lost"]


def test_a_run_is_made_again(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["write_results.py", "--out", str(results / "made"), str(results)])
    write_results.main()
    assert {path.name for path in (results / RUN).iterdir()} == {COMPRESSED, "environment.json"}
    made = results / "made" / RUN
    assert {path.name for path in made.iterdir()} == {"report.html", "tables.csv", "plots"}
    rows = (made / "tables.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + len(read_results(results / RUN / COMPRESSED))
    page = (results / "README.md").read_text(encoding="utf-8")
    assert page.startswith("Before.\n")
    assert page.endswith("After.\n")
    assert "old" not in page
    assert f"| [{RUN}]({RUN}/) | 2026-11-26 04:52 |" in page
    assert (
        "`python -m raddle run ep_overhead --quick --blocks 12 --param partner=self --mpi mpich,openmpi,intel," in page
    )


def test_a_run_is_kept_with_all_that_was_measured(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = read_results(results / RUN / COMPRESSED)
    write_rows(results / RUN / "results.jsonl", rows)
    (results / RUN / COMPRESSED).unlink()
    (results / RUN / "report.html").touch()
    (results / "runs.toml").write_text(f'[shows]\n{RUN} = "overhead"\nnew = "the same"\n', encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["write_results.py", str(results), "--keep", str(results / RUN), "new"])
    write_results.main()
    assert {path.name for path in (results / "new").iterdir()} == {COMPRESSED, "environment.json"}
    assert read_results(results_file(results / "new")) == rows
    assert "| [new](new/) |" in (results / "README.md").read_text(encoding="utf-8")


def test_fractions_are_kept_with_six_digits_and_counts_whole() -> None:
    kept = write_results.rounded(
        {"samples": [2 / 3, 12345678.9], "extra": {"p": [1e-9 / 3]}, "seed": 12345678, "a": "x"}
    )
    assert kept == {"samples": [0.666667, 12345700.0], "extra": {"p": [3.33333e-10]}, "seed": 12345678, "a": "x"}


def test_a_run_without_words_is_told(results: Path) -> None:
    (results / "runs.toml").write_text("[shows]\n", encoding="utf-8")
    with pytest.raises(UserError, match=f"differ: {RUN}"):
        write_results.with_table((results / "README.md").read_text(encoding="utf-8"), results)
    with pytest.raises(UserError, match="no place for the table"):
        write_results.with_table("", results)
