# SPDX-License-Identifier: BSD-3-Clause
"""`make test`: the C++ tests in each kind of build, the MPI tests on every MPI installed, and the Python tests.

With `--long` (`make test-long`) those labelled `long` as well, what is no matter of the MPI (`once`) on each of them,
what needs no MPI without sanitizers too, Fortran with each of the distribution's MPIs, and random schedules for as long
as they ask for. Goes on after a failure and ends with one line that
counts everything. What cannot be tested here is said aloud; with CI=true it is a failure, so that a test never goes
missing unnoticed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SOURCE), str(SOURCE / "tools")]

from raddle import native  # noqa: E402
from raddle.errors import UserError  # noqa: E402
from raddle.mpi.family import families  # noqa: E402
from raddle.mpi.find import Mpi, find  # noqa: E402
from raddle.mpi.places import installed, is_installed  # noqa: E402
from tests import leftovers, needs  # noqa: E402
from tests.quick_start import QUICK_START  # noqa: E402

SECONDS_A_TEST = 120  # for those that declare no timeout of their own
SECONDS_OF_A_RANDOM_RUN = 1  # without --long; tests/mpi/traffic/allowance.hpp
TESTS_A_CPU = 3  # processes of tests beside each other: most of a launch is waiting
MORE_FILES_THAN_CPUS = 1  # of Python tests beside each other: those wait too, for what they start
LAUNCHES_SOONEST = "mpich"  # what is tried on one MPI is tried there
LINES_OF_A_FAILURE = 60  # of what a C++ test wrote; its build directory has all of it
IS_LONG = "--long" in sys.argv[1:]


@dataclass
class Tally:
    """What was counted so far, and what was left out."""

    passed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def add(self, report: Path, stage: str, status: int) -> None:
        """Counts a JUnit report. A runner that ended badly without naming a test is a failure of its own."""
        suites = list(ElementTree.parse(report).iter("testsuite")) if report.exists() else []
        tests, failed, skipped = (sum(_count(suite, *names) for suite in suites) for names in _COUNTS)
        self.passed += tests - failed - skipped
        self.skipped += skipped
        named = [f"{stage}: {case.get('name')}" for suite in suites for case in _failed(suite)]
        self.failures += named or [stage] * int(failed > 0 or status != 0)


_COUNTS = (("tests",), ("failures", "errors"), ("skipped", "disabled"))


def main() -> None:
    tally = Tally(missing=needs.provide())
    for member in families().values():
        if not is_installed(member):
            print(f"MISSING: {member.title}; nothing is tested with it", flush=True)
    if not installed():
        tally.missing.append("any MPI")
    for preset in ("release", "asan", "tsan") if IS_LONG else ("asan", "tsan"):
        cpp_tests(None, preset, tally)
    members = sorted(installed(), key=lambda member: member.name != LAUNCHES_SOONEST)
    for member in members:
        left_out = [] if IS_LONG else ["long"] if member == members[0] else ["long", "once"]
        cpp_tests(find([member.name])[0], "release", tally, left_out=left_out)
    for mpicc in needs.fortran_mpis()[: None if IS_LONG else 1]:
        cpp_tests(find([mpicc])[0], "release", tally, only="fortran")
    python_tests(tally)  # last: some run the programs just built
    sys.exit(conclude(tally))


def python_tests(tally: Tally, *, started_by: Sequence[str] = ()) -> None:
    """All that pytest knows. `started_by`: words of Python's command line before its own."""
    heading("Python")
    report = SOURCE / "build" / "pytest.xml"
    command = [sys.executable, *started_by, "-m", "pytest", "--quiet", f"--junitxml={report}"]
    files = (os.cpu_count() or 1) + MORE_FILES_THAN_CPUS
    command += [f"--numprocesses={files}", "--dist=loadfile", "--no-loadscope-reorder"]  # the quickest ones are last
    if not IS_LONG:
        command += ["-m", "not long"]
    tally.add(report, "Python", run(command, report, {**QUICK_START, **os.environ}))


def cpp_tests(mpi: Mpi | None, preset: str, tally: Tally, *, left_out: Sequence[str] = (), only: str = "") -> None:
    """All that CTest knows of one build, without what has one of the labels `left_out`.

    With `only`, just what has this label, from the target that builds it.
    """
    stage = f"{only or 'C++'} with {mpi.family.title} {mpi.version}" if mpi else f"C++ without MPI, {preset}"
    heading(stage)
    try:
        directory = native.build(mpi, preset=preset, targets=[f"raddle-{only}-tests"] if only else ["all"])
    except UserError as error:
        print(f"{error}\n{error.hint}", flush=True)
        tally.failures.append(stage)
        return
    # A test has more processes and threads than a small machine has CPUs.
    settings = {**mpi.env(), **mpi.family.profile_env("shared")} if mpi else {}
    if not IS_LONG:
        settings["TEST_SECONDS"] = str(SECONDS_OF_A_RANDOM_RUN)
    report = directory / "ctest.xml"
    command = ["ctest", "--test-dir", str(directory), "--timeout", str(SECONDS_A_TEST)]
    command += ["--parallel", str((TESTS_A_CPU if mpi else 1) * (os.cpu_count() or 1))]
    if left_out:
        command += ["--label-exclude", f"^({'|'.join(left_out)})$"]
    if only:
        command += ["--label-regex", f"^{only}$"]
    # Who looks on sees where it is; a log gets what failed, and no line for each of hundreds that passed.
    command += ["--progress" if sys.stdout.isatty() else "--quiet"]
    # A build without tests is a mistake, save where GoogleTest is missing, which was said.
    command += [f"--no-tests={'ignore' if tally.missing else 'error'}", "--output-junit", str(report)]
    began = time.monotonic()
    status = run(command, report, {**QUICK_START, **os.environ, **settings})
    tally.add(report, stage, status)
    tell(report, status, time.monotonic() - began)


def tell(report: Path, status: int, seconds: float) -> None:
    """One line for all tests of a stage, and what those wrote that failed."""
    suites = list(ElementTree.parse(report).iter("testsuite")) if report.exists() else []
    for case in (case for suite in suites for case in _failed(suite)):
        print(f"\n-- {case.get('name')} failed after {float(case.get('time') or 0):.0f} s:")
        print("\n".join((case.findtext("system-out") or "").splitlines()[-LINES_OF_A_FAILURE:]))
    tests = sum(_count(suite, "tests") for suite in suites)
    print(f"{tests} tests in {seconds:.0f} s{'' if status == 0 else ', not all passed'}", flush=True)


def run(command: Sequence[str], report: Path, env: Mapping[str, str]) -> int:
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    # ctest may be the one beside this Python.
    path = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", "")])
    # Started in the background, it would hand "ignore interrupts" down to tests that interrupt what they run.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    leftovers.remove_dead_sessions()
    before = leftovers.segments()
    done = subprocess.run(command, cwd=SOURCE, env={**env, "PATH": path}, stdin=subprocess.DEVNULL, check=False)
    leftovers.remove(leftovers.segments() - before)
    return done.returncode


def heading(text: str) -> None:
    print(f"\n== {text}", flush=True)


def conclude(tally: Tally) -> int:
    heading("All")
    for what in tally.missing:
        print(f"not tested, missing: {what}")
    for stage in dict.fromkeys(tally.failures):
        print(f"failed: {stage}")
    unnoticed = tally.missing if os.environ.get("CI") == "true" else []
    print(f"{tally.passed} passed, {len(tally.failures) + len(unnoticed)} failed, {tally.skipped} skipped")
    return 1 if tally.failures or unnoticed else 0


def _failed(suite: ElementTree.Element) -> list[ElementTree.Element]:
    cases = suite.iter("testcase")
    return [case for case in cases if case.find("failure") is not None or case.find("error") is not None]


def _count(suite: ElementTree.Element, *names: str) -> int:
    return sum(int(suite.get(name) or 0) for name in names)


if __name__ == "__main__":
    main()
