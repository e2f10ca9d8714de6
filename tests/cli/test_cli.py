# SPDX-License-Identifier: BSD-3-Clause
"""The command as a user meets it."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path

import pytest

import raddle
from tests.cli import fakes
from tests.cli.command import Raddle

pytestmark = pytest.mark.timeout(110)

# A hundred launches of nothing are enough work for a test.
QUICK = ("run", "msgrate", "--quick", "--blocks", "2", "--seed", "1", "--out", "out")
LAUNCHES = 2 * (14 + 10 + 1)  # alpha starts its lanes apart, beta has no threadcomm, and the probe


@pytest.fixture
def command(tmp_path: Path) -> Raddle:
    return Raddle(tmp_path)


@pytest.mark.parametrize(
    "verb", [[], ["run"], ["list"], ["doctor"], ["report"], ["compare"], ["exec"], ["mpi"], ["mpi", "list"]]
)
def test_help_is_worth_reading_and_starts_nothing(command: Raddle, verb: list[str]) -> None:
    done = command(*verb, "--help")
    assert done.returncode == 0
    assert len(done.stdout) > 200
    assert command.started() == []
    assert not (command.place / "results").exists()


def test_help_wins_over_everything_else(command: Raddle) -> None:
    assert command("run", "latency", "--quick", "--help").returncode == 0
    assert command.started() == []


def test_help_of_run_has_examples_and_places(command: Raddle) -> None:
    text = command("run", "--help").stdout
    for word in ("raddle run --quick", "results/latest", "--resume", "Exit status", "report.html"):
        assert word in text


def test_version(command: Raddle) -> None:
    assert command("--version").stdout == f"raddle {raddle.__version__}\n"


def test_list_shows_everything(command: Raddle) -> None:
    text = command("list").stdout
    for word in ("msgrate", "endpoint-direct", "physical", "one-process", "--publish", "window", "Open MPI"):
        assert word in text
    document = json.loads(command("list", "--json").stdout)
    assert set(document) == {"suites", "modes", "profiles", "placements", "variants", "benchmarks", "mpis"}
    assert document["benchmarks"]["latency"]["unit"] == "us"


def test_a_number_and_its_unit_are_on_one_line(command: Raddle) -> None:
    for columns in ("80", "100", "200"):
        text = command("list", "latency", "partitioned_bandwidth", COLUMNS=columns).stdout
        assert "256 KiB" in text
        assert not re.search(r"\d,?(\s*\n|  )\s*[KM]?i?B\b", text), text
        assert max(map(len, text.splitlines())) <= int(columns)


def test_run_measures_everything_and_reports(command: Raddle) -> None:
    done = command(*QUICK)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "report of out\n"
    assert "Alpha MPI 1.0, Beta MPI 1.0" in done.stderr
    assert "beta: no threadcomm on node or one-process (4 points): only Alpha MPI has it" in done.stderr
    assert len(command.started()) == LAUNCHES
    assert {path.name for path in (command.place / "out").iterdir()} == {
        "environment.json", "launches.jsonl", "plan.json", "plans", "results.jsonl"
    }  # fmt: skip
    launches = command.plan()["launches"]
    assert [one["launch"] for one in launches] == command.started()
    assert {one["env"].get("ALPHA_LANES") for one in launches if "-lane-x2" in one["launch"]} == {"2"}
    environment = json.loads((command.place / "out" / "environment.json").read_text())
    assert environment["seed"] == 1
    assert [one["name"] for one in environment["notices"]] == ["variant-skipped"]


def test_seed_repeats_the_order(command: Raddle) -> None:
    orders = []
    for number, seed in enumerate(("1", "1", "2")):
        before = len(command.started())
        command("run", "latency", "--bytes", "8", "--blocks", "1", "--seed", seed, "--out", f"out{number}")
        orders.append(command.started()[before:])
    assert len(orders[0]) == 13
    assert orders[0] == orders[1] != orders[2]


def test_results_have_a_place_and_a_latest(command: Raddle) -> None:
    done = command("run", "latency", "--bytes", "8", "--variant", "physical", "--blocks", "1")
    assert done.returncode == 0, done.stderr
    latest = command.place / "results" / "latest"
    assert latest.is_symlink()
    assert re.fullmatch(r"\d{8}-\d{6}", latest.resolve().name)


def test_dry_run_starts_and_writes_nothing(command: Raddle) -> None:
    done = command(*QUICK, "--dry-run")
    assert done.returncode == 0
    assert "alpha-node-lane-x2: 1 point" in done.stdout
    assert command.started() == []
    assert not (command.place / "out").exists()


def test_a_real_report_is_made(command: Raddle) -> None:
    done = command("run", "latency", "--bytes", "8,64", "--blocks", "2", "--out", "out", FAKE_REPORT="1")
    assert done.returncode == 0, done.stderr
    for name in ("results.jsonl", "tables.csv", "report.html"):
        assert (command.place / "out" / name).stat().st_size > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_keeps_rows_and_is_resumed(command: Raddle, number: signal.Signals) -> None:
    with command.start(*QUICK, FAKE_SECONDS="0.05") as process:
        while len(command.started()) < 5 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "raddle run --resume out" in err
    assert "raddle report out" in err
    assert out == ""
    assert (command.place / "out" / "results.jsonl").exists()
    assert fakes.alive(f"FAKE_HOME={command.place}") == []
    before = len(command.started())
    assert 5 <= before < LAUNCHES

    done = command("run", "--resume", "out")
    assert done.returncode == 0, done.stderr
    started = command.started()
    assert len(started) in (LAUNCHES, LAUNCHES + 1)  # the one that was cut off is repeated, unless it had just ended
    assert set(started) == {one["launch"] for one in command.plan()["launches"]}
    assert len(set(command.rows())) == sum(
        len(s["variants"]) for one in command.plan()["launches"] for s in one["sets"]
    )


def test_a_finished_run_that_is_resumed_says_so_and_is_reported_again(command: Raddle) -> None:
    assert command("run", "latency", "--bytes", "8", "--blocks", "1", "--out", "out").returncode == 0
    before = command.started()
    done = command("run", "--resume", "out")
    assert (done.returncode, done.stdout) == (0, "report of out\n")
    assert "Nothing was left to measure: the run in out is finished." in done.stderr
    assert command.started() == before


def test_interrupted_trials_are_told_and_made_again(command: Raddle) -> None:
    work = ["--mpi", "alpha", "--bytes", "8", "--threads", "1", "--param", "mechanism=psend", "--variant", "thread"]

    def interrupted(*arguments: str) -> str:
        trials = trials_begun(command)
        with command.start("run", *arguments) as process:
            while trials_begun(command) == trials and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert "Go on with: raddle run --resume out" in err
        assert fakes.alive(f"FAKE_HOME={command.place}") == []
        return err

    assert "Stopped by SIGINT" in interrupted("partitioned_bandwidth", *work, "--blocks", "1", "--out", "out")
    before = command.started()
    assert "Stopped by SIGINT" in interrupted("--resume", "out")
    assert command.started() == before


def trials_begun(command: Raddle) -> int:
    path = command.place / "trace"
    return path.read_text().splitlines().count("trial") if path.exists() else 0


def test_killed_run_is_resumed(command: Raddle) -> None:
    with command.start(*QUICK, FAKE_SECONDS="0.05") as process:
        while len(command.started()) < 3 and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.communicate(timeout=60)
    assert command("run", "--resume", "out").returncode == 0
    assert {row[0] for row in command.rows()} == {one["launch"] for one in command.plan()["launches"]}


def test_run_that_is_resumed_in_other_surroundings_says_so(command: Raddle) -> None:
    work = ["latency", "--bytes", "8", "--blocks", "1", "--out", "out"]
    command("run", *work, FAKE_BENCH="early", UCX_TLS="sm")
    done = command("run", "--resume", "out", UCX_TLS="tcp", FAKE_REPORT="1")
    assert done.returncode == 0, done.stderr
    assert "Not as when this run began: UCX_TLS." in done.stderr
    made = json.loads((command.place / "out" / "environment.json").read_text())
    assert [each["settings"]["UCX_TLS"] for each in (made, *made["sessions"])] == ["sm", "tcp"]
    [notice] = [each for each in made["notices"] if each["name"] == "mixed-surroundings"]
    assert notice["detail"].endswith("UCX_TLS: sm at first, then tcp")
    assert "mixed-surroundings" in (command.place / "out" / "report.html").read_text()
    command("run", "--resume", "out", UCX_TLS="self")  # to which nothing was left to do
    assert json.loads((command.place / "out" / "environment.json").read_text()) == made


def test_run_that_is_resumed_where_it_began_has_nothing_to_say(command: Raddle) -> None:
    command("run", "latency", "--bytes", "8", "--blocks", "1", "--out", "out", FAKE_BENCH="early")
    assert "Not as when" not in command("run", "--resume", "out").stderr
    made = json.loads((command.place / "out" / "environment.json").read_text())
    assert len(made["sessions"]) == 1
    assert "mixed-surroundings" not in str(made["notices"])


def test_launch_with_a_row_that_cannot_be_read_is_told_and_repeated(command: Raddle) -> None:
    done = command("run", "latency", "--bytes", "8,64", "--blocks", "1", "--out", "out", FAKE_BENCH="torn@alpha&thread")
    assert done.returncode == 1
    assert "rows, of which" in done.stderr
    before = command.started()
    assert command("run", "--resume", "out").returncode == 0
    again = command.started()[len(before) :]
    assert again
    assert all("alpha" in name and "thread" in name for name in again)


def test_resumed_run_that_was_whole_has_nothing_to_do(command: Raddle) -> None:
    command(*QUICK)
    before = len(command.started())
    assert command("run", "--resume", "out").returncode == 0
    assert len(command.started()) == before


def test_one_failing_launch_does_not_stop_the_others(command: Raddle) -> None:
    done = command(*QUICK, FAKE_BENCH="init-crash@alpha&lane-x2")
    assert done.returncode == 1
    assert "b0-alpha-one-process-lane-x2 exited with status 134" in done.stderr
    assert "Fatal error in MPI_Init: nothing works" in done.stderr
    assert "4 of 50 launches failed" in done.stderr
    assert done.stdout == "report of out\n"
    assert len(command.started()) == LAUNCHES


def test_hopeless_launch_is_given_up(command: Raddle) -> None:
    less = ("--mpi", "beta", "--placement", "node", "--blocks", "4", "--out", "out")
    done = command("run", "msgrate", "--quick", *less, FAKE_BENCH="no-thread-multiple@beta-node-thread")
    assert done.returncode == 1
    assert done.stderr.count("This MPI does not provide MPI_THREAD_MULTIPLE") == 2  # once a kind of launch
    assert "beta-node-thread+lane-x1 is not tried again" in done.stderr
    assert sum("beta-node-thread" in one for one in command.started()) == 4


def test_changed_data_has_a_status_of_its_own(command: Raddle) -> None:
    done = command("run", "latency", "--bytes", "8", "--blocks", "1", FAKE_BENCH="invalid@alpha-node-process-x1")
    assert done.returncode == 3
    assert "byte 3 is 7, expected 8" in done.stderr


def test_hanging_launch_is_ended_at_the_time_limit(command: Raddle) -> None:
    sizes = ("--bytes", "8,16", "--variant", "process", "--mpi", "alpha", "--threads", "1")
    done = command(
        "run", "msgrate", *sizes, "--blocks", "1", "--time-limit", "1", "--out", "out", FAKE_BENCH="hang@alpha"
    )
    assert done.returncode == 1
    assert "did not end within 1 s and was stopped while at msgrate process bytes=" in done.stderr
    assert len(command.rows()) == 3  # the first size, and the probe
    assert fakes.alive(f"FAKE_HOME={command.place}") == []


def test_launch_that_always_hangs_is_given_up(command: Raddle) -> None:
    sizes = ("--bytes", "8,16", "--variant", "process", "--mpi", "alpha", "--threads", "1", "--time-limit", "1")
    done = command("run", "msgrate", *sizes, "--blocks", "4", "--out", "out", FAKE_BENCH="hang@alpha")
    assert done.returncode == 1
    assert "alpha-node-process-x1 is not tried again: it failed 2 times in a row." in done.stderr
    assert sum("alpha" in one for one in command.started()) == 2


def test_publishing_goes_on_until_ratios_are_known(command: Raddle) -> None:
    done = command(
        "run", "latency", "--publish", "--mpi", "beta", "--bytes", "8", "--threads", "1", "--placement", "node",
        "--out", "out", FAKE_STATES="one",  # else the probe is the limit, and the fakes' figures rise block by block
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"After 15 blocks (\d) of \1 ratios are known to 2%\.", done.stderr)
    assert command.plan()["launches"][-1]["block"] == 14
