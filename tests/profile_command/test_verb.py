# SPDX-License-Identifier: BSD-3-Clause
"""`raddle profile` as a whole, with a fake MPI and programs that leave what a profiled one would."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from raddle.profile.model import Process, Record
from raddle.profile.store import load
from tests.cli import fakes
from tests.fake_job import FakeJob
from tests.profile_command.planted import Plant

DRIVER = Path(__file__).with_name("raddle_with_a_fake.py")


@pytest.fixture(autouse=True)
def clean(tmp_path: Path) -> Iterator[None]:
    yield
    assert fakes.alive(f"FAKE_JOB={tmp_path}") == []


class Fake(FakeJob):
    """With programs that leave the records that a profile is made of."""

    def program(self, text: str, records: list[Record] | None = None) -> str:
        self.script(text, b"".join(msgspec.json.encode(each) + b"\n" for each in records or []))
        return "./program"


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    made = Fake(tmp_path, "profile", DRIVER, "$_RADDLE_PROFILE/1")
    made.prepare()
    return made


def contended(how: str = "finalized") -> list[Record]:
    plant = Plant().call("MPI_Isend", 4.0, lock=2.0).inside(4.0, 4.0, 2.0).inside(4.0, 4.0, 2.0, process=1)
    plant.process = {"how": how}
    return plant.records()


def test_a_program_is_profiled_with_its_own_input_output_and_status(fake: Fake) -> None:
    fake.program('leave; read line; echo "got $line $1"; echo oops >&2; exit 7', contended())
    done = fake.run("--out", "out", stdin="hello\n")
    assert (done.returncode, done.stdout) == (7, "got hello word\n")
    assert done.stderr.startswith("oops\n")
    assert "Threads lose 20 % of their time to locks inside the MPI (measured)" in " ".join(done.stderr.split())
    assert max(map(len, done.stderr.splitlines())) <= 80
    assert {path.name for path in (fake.place / "out").iterdir()} == {
        "profile.jsonl", "summary.json", "report.html", "environment.json",
    }  # fmt: skip
    first = json.loads((fake.place / "out" / "profile.jsonl").read_text().splitlines()[0])
    assert (first["record"], first["status"], first["ended"]) == ("program", 7, "finalized")
    assert first["mpi"] == "MPICH Version: 5.0.2"
    assert first["command"][-2:] == ["./program", "word"]


def test_the_profilers_library_comes_first_and_its_settings_reach_every_process(fake: Fake) -> None:
    fake.program('leave; echo "$_RADDLE_PROFILE_TRACE"', contended())
    done = fake.run("--out", "out", "--trace=2M")
    assert done.stdout == "2097152\n"
    given = (fake.place / "home" / "given").read_text().split("|")
    built = fake.place / "home" / "built" / "lib"
    preloaded = given[given.index("LD_PRELOAD") + 1]
    assert preloaded == f"{built}/libraddle-profile.so:{built}/libraddle.so"
    assert given[given.index("_RADDLE_PROFILE") + 1] == str(fake.place / "out" / "processes")
    assert not (fake.place / "out" / "processes").exists()
    assert (fake.place / "out" / "trace.json").exists()
    assert "trace.json (chrome://tracing, Perfetto); 3 calls had no room" in done.stderr


@pytest.mark.parametrize("options", [["--trace"], ["--trace=64M"]])
def test_a_trace_has_a_size_of_its_own(fake: Fake, options: list[str]) -> None:
    fake.program('leave; echo "$_RADDLE_PROFILE_TRACE"', contended())
    assert fake.run("--out", "out", *options).stdout == f"{64 << 20}\n"
    words = [word for word in fake.words("--out", "out2", "--trace") if word != "--"]
    assert fake.run(words=words).stdout == f"{64 << 20}\n"


def test_an_option_behind_trace_is_an_error(fake: Fake) -> None:
    done = fake.run("--trace", "--json")
    assert done.returncode == 2
    assert "--trace is followed by --json." in done.stderr


def test_results_are_in_a_directory_of_their_own(fake: Fake) -> None:
    fake.program("leave", contended())
    assert fake.run().returncode == 0
    assert (fake.place / "results" / "latest" / "profile.jsonl").exists()


def test_json_comes_after_the_programs_output(fake: Fake) -> None:
    fake.program("leave; echo mine", contended())
    done = fake.run("--json", "--out", "out")
    mine, _, text = done.stdout.partition("\n")
    found = json.loads(text)
    assert (mine, found["ended"]) == ("mine", "finalized")
    assert "lanes" in {each["name"] for each in found["remedies"]}
    assert found == json.loads((fake.place / "out" / "summary.json").read_text())


def test_report_and_compare_read_what_was_kept(fake: Fake) -> None:
    fake.program("leave", contended())
    fake.run("--out", "a")
    fake.program("leave", Plant().call("MPI_Isend", 2.0).records())
    fake.run("--out", "b")
    (fake.place / "a" / "report.html").unlink()
    done = fake.run(words=[sys.executable, "-m", "raddle", "report", "a"])
    assert (done.returncode, "What remedies would bring at most" in done.stdout) == (0, True)
    assert (fake.place / "a" / "report.html").exists()
    done = fake.run(words=[sys.executable, "-m", "raddle", "compare", "a", "b"])
    assert done.returncode == 0
    assert "0.50x" in done.stdout
    done = fake.run(words=[sys.executable, "-m", "raddle", "compare", "a", "b", "--format", "json"])
    assert json.loads(done.stdout)["lines"][0]["quantity"] == "program"
    done = fake.run(words=[sys.executable, "-m", "raddle", "compare", "a", "b", "--fail-above", "3"])
    assert done.returncode == 2
    done = fake.run(words=[sys.executable, "-m", "raddle", "compare", "a", "nothing"])
    assert "nothing does not exist" in " ".join(done.stderr.split())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_the_report_of_what_was_seen(fake: Fake, number: signal.Signals) -> None:
    fake.program("leave; echo ready; exec sleep 1000", contended("running"))
    with fake.start() as started:
        assert started.stdout
        assert started.stdout.readline() == "ready\n"
        started.send_signal(number)
        _, said = started.communicate(timeout=60)
    assert started.returncode == 128 + number
    assert "The program was interrupted: this is what was seen until then." in " ".join(said.split())


def test_one_that_does_not_listen_is_ended_within_three_seconds(fake: Fake, tmp_path: Path) -> None:
    fake.program('trap "" INT TERM; leave; echo ready; while :; do sleep 0.1; done', contended("running"))
    with fake.start() as started:
        assert started.stdout
        assert started.stdout.readline() == "ready\n"
        begun = time.monotonic()
        started.send_signal(signal.SIGINT)
        while fakes.alive(f"FAKE_JOB={tmp_path}"):
            time.sleep(0.02)
        took = time.monotonic() - begun
        started.communicate(timeout=60)
    assert started.returncode == 130
    assert 1.2 < took < 6  # 1.5 s where the machine is not busy with other tests


def test_one_that_does_not_listen_is_ended_by_a_second_signal(fake: Fake) -> None:
    fake.program('trap "" INT TERM; leave; echo ready; while :; do sleep 0.1; done', contended("running"))
    with fake.start() as started:
        assert started.stdout
        assert started.stdout.readline() == "ready\n"
        begun = time.monotonic()
        started.send_signal(signal.SIGINT)
        time.sleep(0.5)
        started.send_signal(signal.SIGINT)
        started.communicate(timeout=60)
    assert started.returncode == 130
    assert time.monotonic() - begun < 5


def test_a_program_that_is_killed_is_reported(fake: Fake) -> None:
    fake.program("leave; kill -KILL $$", contended("running"))
    done = fake.run("--out", "out")
    assert done.returncode == 137
    assert "The program was killed: this is what was seen until then." in " ".join(done.stderr.split())


def test_what_a_program_leaves_running_ends_with_it(fake: Fake) -> None:
    fake.program("leave; sleep 1000 >/dev/null 2>&1 & exit 0", contended())
    assert fake.run("--out", "out").returncode == 0


def test_a_program_without_mpi_is_an_error_that_says_what_to_do(fake: Fake) -> None:
    fake.program("echo hello")
    done = fake.run("--out", "out")
    assert (done.returncode, done.stdout) == (2, "hello\n")
    said = " ".join(done.stderr.split())
    assert "has called MPI_Init of this MPI, so there is nothing to profile" in said
    assert "--mpi NAME" in said
    assert not (fake.place / "out").exists()


def test_a_program_that_is_not_there_is_said_to_be_missing(fake: Fake) -> None:
    done = fake.run(words=fake.words("--out", "out", program="./nothing"))
    assert done.returncode == 2
    assert "Error: The program ./nothing does not exist.\n" in done.stderr
    assert not (fake.place / "out").exists()


def test_a_program_that_ends_before_it_begins_keeps_the_launchers_words_and_status(fake: Fake) -> None:
    fake.program("echo cannot load >&2; exit 127")
    done = fake.run("--out", "out")
    assert done.returncode == 127
    assert "cannot load" in done.stderr
    assert "ended with status 127 before any process had called MPI_Init" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("launcher", "said"),
    [("/no/such/mpiexec", "/no/such/mpiexec not found"), ("./program", "'./program' is no launcher of MPI programs")],
)
def test_a_launcher_that_is_none_is_an_error(fake: Fake, launcher: str, said: str) -> None:
    done = fake.run(words=fake.words(launcher=launcher))
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


def test_files_that_cannot_be_read_are_an_error(fake: Fake) -> None:
    fake.program('echo nonsense >"$_RADDLE_PROFILE/1"')
    done = fake.run("--out", "out")
    assert done.returncode == 2
    assert "processes/1: JSON is malformed" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_directory_in_use_is_an_error_before_anything_runs(fake: Fake) -> None:
    fake.program("echo ran; leave", contended())
    (fake.place / "out").mkdir()
    (fake.place / "out" / "mine").touch()
    done = fake.run("--out", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert "out is not empty" in done.stderr


def test_options_of_ranks_need_ranks(fake: Fake) -> None:
    done = fake.run("--private", "libx")
    assert done.returncode == 2
    assert "--threads-as-ranks" in done.stderr


def test_processes_are_kept_as_they_ended(fake: Fake) -> None:
    fake.program("leave", contended("exited"))
    fake.run("--out", "out")
    found = [each for each in load(fake.place / "out") if isinstance(each, Process)]
    assert {each.how for each in found} == {"exited"}
