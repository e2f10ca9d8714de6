# SPDX-License-Identifier: BSD-3-Clause
"""`make coverage`: which lines the tests run, by folder, on one MPI; writes docs/evidence/coverage.md.

Everything is built again to count lines, and the tests of `make test` run. What is lost or not counted is told on
the page: the figures are lower bounds.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SOURCE)]

from raddle.mpi.find import find  # noqa: E402
from tests import needs  # noqa: E402
from tests.run import Tally, conclude, cpp_tests, python_tests  # noqa: E402

PAGE = SOURCE / "docs" / "evidence" / "coverage.md"
BUILD = SOURCE / "build"
WORK = BUILD / "coverage"
MPI = "mpich"  # its launches take the least time


@dataclass
class Lines:
    """How many lines of a folder can run, and how many did."""

    there: int = 0
    run: int = 0

    def row(self, folder: str) -> str:
        # A folder of which nothing ran has programs without counters, and is not one that no test runs.
        return f"| {folder} | {self.there} | {f'{self.run / self.there:.1%}' if self.run else 'not measured'} |"


def main() -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    for old in (*BUILD.glob("coverage-*/**/*.gcda"), *WORK.glob("python*")):
        old.unlink()
    tally = Tally(missing=needs.provide())
    [mpi] = find([MPI])
    cpp_tests(None, "coverage", tally)
    cpp_tests(mpi, "coverage", tally, left_out=["long"])
    python_tests(tally, started_by=["-m", "coverage", "run"])
    folders = {**c_and_cpp(), **python()}
    PAGE.write_text(page(folders, mpi.family.title, mpi.version, tally.failures), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))
    sys.exit(conclude(tally))


def c_and_cpp() -> dict[str, Lines]:
    """The library and the programs that measure, without tests and what a generator wrote."""
    summary = WORK / "gcovr.json"
    command = [sys.executable, "-m", "gcovr", "--root", str(SOURCE), "--json-summary", str(summary)]
    command += ["--filter", "src/", "--filter", "bench/", "--filter", "include/", "--exclude", "build/"]
    command += ["--gcov-ignore-errors=no_working_dir_found", "--merge-mode-functions=merge-use-line-min"]
    if subprocess.run([*command, *map(str, BUILD.glob("coverage-*"))], cwd=SOURCE, check=False).returncode != 0:
        sys.exit("gcovr could not read what the tests have counted; above it says why.")
    files = json.loads(summary.read_text(encoding="utf-8"))["files"]
    return by_folder((file["filename"], file["line_total"], file["line_covered"]) for file in files)


def python() -> dict[str, Lines]:
    """The command, also in the processes that tests start."""
    summary = WORK / "python.json"
    for step in (["combine", "--quiet"], ["json", "--quiet", "-o", str(summary)]):
        subprocess.run([sys.executable, "-m", "coverage", *step], cwd=SOURCE, check=True)
    files = json.loads(summary.read_text(encoding="utf-8"))["files"]
    counted = {name: file["summary"] for name, file in files.items()}
    return by_folder((name, one["num_statements"], one["covered_lines"]) for name, one in counted.items())


def by_folder(files: Iterable[tuple[str, int, int]]) -> dict[str, Lines]:
    """Sums over the folders that a reader knows: two levels."""
    folders: dict[str, Lines] = defaultdict(Lines)
    for name, there, covered in files:
        folder = "/".join(Path(name).parent.parts[:2])
        folders[folder].there += there
        folders[folder].run += covered
    return {folder: lines for folder, lines in sorted(folders.items()) if lines.there}


def page(folders: Mapping[str, Lines], title: str, version: str, failures: Sequence[str]) -> str:
    total = Lines(sum(each.there for each in folders.values()), sum(each.run for each in folders.values()))
    asked = ["git", "describe", "--always", "--dirty"]
    at = f"at {subprocess.run(asked, cwd=SOURCE, capture_output=True, text=True, check=False).stdout.strip()}"
    return "\n".join(
        [
            "# Coverage",
            "",
            f"Written by `make coverage`: lines that the tests run, with {title} {version}, {at}.",
            "What a process has counted is lost when it is killed, which some tests do, and programs that tests of the",
            "command start have no counters (raddle-inspect, raddle-probe and what else was not measured): the figures",
            "are lower bounds.",
            *(["", f"**Failed in this run:** {', '.join(failures)}."] if failures else []),
            "",
            "| folder | lines | run |",
            "|---|---|---|",
            *(lines.row(folder) for folder, lines in folders.items()),
            total.row("**all**"),
            "",
        ]
    )


if __name__ == "__main__":
    main()
