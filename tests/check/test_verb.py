# SPDX-License-Identifier: BSD-3-Clause
"""`raddle check` as a whole, with a fake MPI and programs that write what a checked one would."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.fake_job import FakeJob

DRIVER = Path(__file__).with_name("raddle_with_a_fake.py")
BEGAN = {"record": "process", "rank": 0, "pid": 7, "host": "here", "level": 1}
CALL = {"function": "MPI_Send", "thread": 1, "name": "worker", "tid": 8, "module": "/no/program", "offset": 291}
FOUND = {"record": "finding", "id": 0, "rule": "thread-level", "rank": 0, "level": "FUNNELED", **CALL}
LEFT = {"record": "finding", "id": 1, "rule": "datatype-left", "rank": 0, **CALL}
COUNT = {"record": "count", "id": 0, "times": 3}


class Fake(FakeJob):
    """With programs that leave what a checked one would have written."""

    def program(self, text: str, *records: dict[str, Any]) -> None:
        self.script(text, b"".join(json.dumps(each).encode() + b"\n" for each in records))


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    made = Fake(tmp_path, "check", DRIVER, "$_RADDLE_CHECK/0.7.jsonl")
    made.prepare()
    return made


def said(done: subprocess.CompletedProcess[str]) -> str:
    return " ".join(done.stderr.split())


def test_a_broken_rule_is_status_1_and_told_with_its_place(fake: Fake) -> None:
    fake.program('leave; read line; echo "got $line $1"', BEGAN, FOUND, COUNT)
    done = fake.run("--out", "out", stdin="hello\n")
    assert (done.returncode, done.stdout) == (1, "got hello word\n")
    assert "1. MPI_Send is called from another thread" in said(done)
    assert "MPI_THREAD_FUNNELED" in said(done)
    assert "/no/program+0x123: MPI_Send, thread 1 (worker, 8) of process 0" in said(done)
    assert "11.6 MPI and Threads. Rule thread-level; 3 times, in process 0" in said(done)
    assert "1 broken rule." in said(done)
    assert max(map(len, done.stderr.splitlines())) <= 80
    assert [path.name for path in (fake.place / "out").iterdir()] == ["check.json"]


def test_the_program_keeps_its_own_status(fake: Fake) -> None:
    fake.program("leave; exit 7", BEGAN, FOUND)
    done = fake.run("--out", "out")
    assert done.returncode == 7
    assert "at least once, in process 0" in said(done)


def test_nothing_found_is_said(fake: Fake) -> None:
    fake.program("leave", BEGAN)
    done = fake.run("--out", "out")
    assert (done.returncode, "No rule broken that can be seen." in said(done)) == (0, True)


def test_what_is_left_breaks_no_rule(fake: Fake) -> None:
    fake.program("leave", BEGAN, LEFT)
    done = fake.run("--out", "out")
    assert (done.returncode, "No rule broken that can be seen. It leaves behind 1 thing" in said(done)) == (0, True)


def test_json_comes_after_the_programs_output(fake: Fake) -> None:
    fake.program("leave; echo mine", BEGAN, FOUND, COUNT, LEFT)
    done = fake.run("--json", "--out", "out")
    mine, _, text = done.stdout.partition("\n")
    result = json.loads(text)
    assert (mine, done.returncode, result["broken"], result["status"]) == ("mine", 1, 1, 0)
    assert [each["rule"] for each in result["findings"]] == ["thread-level", "datatype-left"]
    assert result["findings"][0]["calls"][0]["offset"] == CALL["offset"]
    assert text == (fake.place / "out" / "check.json").read_text()


def test_the_library_comes_first_and_the_level_is_the_programs(fake: Fake) -> None:
    fake.program("leave; echo $RADDLE_THREAD_LEVEL", BEGAN)
    assert fake.run("--out", "out").stdout == "program\n"
    given = (fake.place / "home" / "given").read_text().split("|")
    built = fake.place / "home" / "built" / "lib"
    assert given[given.index("LD_PRELOAD") + 1] == f"{built}/libraddle-check.so:{built}/libraddle.so"
    assert given[given.index("_RADDLE_CHECK") + 1] == str(fake.place / "out" / "processes")


def test_a_line_that_was_cut_off_is_left_out(fake: Fake) -> None:
    fake.program('leave; printf \'{"rec\' >>"$_RADDLE_CHECK/0.7.jsonl"; kill -KILL $$', BEGAN, FOUND)
    done = fake.run("--out", "out")
    assert (done.returncode, "1 broken rule." in said(done)) == (137, True)


def test_an_interrupt_gives_what_was_seen(fake: Fake) -> None:
    fake.program("leave; echo ready; exec sleep 1000", BEGAN, FOUND)
    with fake.start() as started:
        assert started.stdout
        assert started.stdout.readline() == "ready\n"
        started.send_signal(signal.SIGINT)
        _, errors = started.communicate(timeout=60)
    assert started.returncode == 130
    assert "The program was interrupted: this is what was seen until then." in " ".join(errors.split())


def test_a_program_without_mpi_is_an_error(fake: Fake) -> None:
    fake.program("true")
    done = fake.run("--out", "out")
    assert (done.returncode, "so there is nothing to check" in said(done)) == (2, True)
    assert not (fake.place / "out").exists()


def test_files_that_cannot_be_read_are_an_error(fake: Fake) -> None:
    fake.program('echo nonsense >"$_RADDLE_CHECK/1.jsonl"')
    done = fake.run("--out", "out")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "1.jsonl: JSON is malformed" in said(done)


@pytest.mark.parametrize("out", ["a,b", "full"])
def test_a_directory_that_cannot_be_used_is_an_error(fake: Fake, out: str) -> None:
    (fake.place / "full").mkdir()
    (fake.place / "full" / "mine").touch()
    fake.program("echo ran; leave", BEGAN)
    done = fake.run("--out", out)
    assert (done.returncode, done.stdout) == (2, "")
    assert not (fake.place / "a,b").exists()
