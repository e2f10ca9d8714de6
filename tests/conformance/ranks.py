# SPDX-License-Identifier: BSD-3-Clause
"""Runs mpi4py's tests in one process of an MPI job: `python ranks.py JOB.json`.

With `threads` in the job each rank is a thread that has adopted an endpoint, with test modules of its own: they keep
communicators in their classes. Otherwise the process is the one rank, and nothing of Raddle is there.

All ranks run the same tests in step; in those that the job lists as `one_at_a_time` the ranks of a process take turns.
Before each test the processes exchange how the last one ended, over a communicator of the MPI's own that no rank sees;
the first process writes it into the job's journal. What is left of a test that has failed (messages, say) must not meet
the next one: then the job ends, and is started again for the rest.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import traceback
import unittest
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.conformance.modules import Modules, Unloadable
from tests.conformance.tables import Locks, Places

_LONGEST = 4000  # characters of a traceback


class EndOfJob(BaseException):
    """Nothing more is run; not an Exception, so that no test catches it."""


class Raddle:
    """libraddle's functions for ranks."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(None)

    def make(self, count: int) -> list[ctypes.c_void_p]:
        made = (ctypes.c_void_p * count)()
        assert self.library.Raddle_Ranks_create(count, made) == 0
        return [ctypes.c_void_p(one) for one in made]

    def adopt(self, rank: ctypes.c_void_p) -> None:
        self.library.Raddle_Rank_adopt(rank)

    def adopted(self) -> ctypes.c_void_p:
        found = ctypes.c_void_p()
        self.library.Raddle_Rank_adopted(ctypes.byref(found))
        return found

    def calls(self, rank: ctypes.c_void_p) -> tuple[int, int]:
        on, past = ctypes.c_longlong(), ctypes.c_longlong()
        self.library.Raddle_Rank_calls(rank, ctypes.byref(on), ctypes.byref(past))
        return on.value, past.value

    def refused(self, rank: ctypes.c_void_p) -> str | None:
        """The last function that was refused since this was last asked."""
        name = ctypes.c_char_p()
        self.library.Raddle_Rank_refused(rank, ctypes.byref(name))
        return name.value.decode() if name.value else None


class Gate:
    """Where the ranks of this process meet before each test, and the processes of the job."""

    def __init__(self, count: int, exchange: Callable[[str | None, list[Any]], bool]) -> None:
        self._exchange = exchange
        self._turn, self._places = threading.Lock(), Places()
        self._told: dict[int, Any] = {}
        self._next: dict[int, str | None] = {}
        self._go_on = True
        self._barrier = threading.Barrier(count, action=self._meet)

    def _meet(self) -> None:
        named = set(self._next.values())
        # Ranks of one process that are at different tests are out of step: nothing can be said of either.
        test = named.pop() if len(named) == 1 else None
        self._go_on = self._exchange(test, [self._told.get(index) for index in sorted(self._next)])

    def enter(self, index: int, test: str | None, told: Any) -> None:
        self._next[index], self._told[index] = test, told
        self._barrier.wait()
        if not self._go_on:
            raise EndOfJob

    def begin_turn(self) -> None:
        """Of a test that ranks run one after the other."""
        self._turn.acquire()
        self._places.begin()

    def end_turn(self) -> None:
        self._places.end()
        self._turn.release()


Probe = Callable[[], tuple[int, int, str | None]]


class Result(unittest.TestResult):
    """What becomes of the tests of one rank."""

    def __init__(self, index: int, gate: Gate, probe: Probe, job: dict[str, Any]) -> None:
        super().__init__()
        self._journal, self._one_at_a_time = job["journal"], job["one_at_a_time"]
        self._index, self._gate, self._probe = index, gate, probe
        self._told: dict[str, Any] | None = None
        self._before = (0, 0)
        self._refused_at_load: str | None = None

    def begin_module(self, name: str) -> None:
        """A module may end the job as it is loaded."""
        if self._index == 0:
            self._write({"load": name})

    def end_load(self) -> None:
        """A module that is refused something as it is loaded skips what needs that."""
        self._refused_at_load = self._probe()[2]

    def _write(self, line: dict[str, Any]) -> None:
        with Path(self._journal).open("a", encoding="utf-8") as journal:
            journal.write(json.dumps(line) + "\n")

    def end_module(self) -> None:
        """The tearDownClass of its last class is over, and unittest would call it once more."""
        self._previousTestClass = None

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        super().startTest(test)
        self._gate.enter(self._index, name_of(test), self._told)
        if self._takes_turns(test):
            self._gate.begin_turn()
        on, past, _ = self._probe()
        self._before = (on, past)
        self._told = {"outcome": "pass"}

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        super().stopTest(test)
        assert self._told is not None
        on, past, refused = self._probe()
        if self._told["outcome"] == "skip":
            refused = refused or self._refused_at_load
        self._told |= {"on": on - self._before[0], "past": past - self._before[1], "refused": refused}
        if self._takes_turns(test):
            self._gate.end_turn()

    def _takes_turns(self, test: unittest.TestCase) -> bool:
        return any(fnmatchcase(name_of(test), pattern) for pattern in self._one_at_a_time)

    def last(self) -> dict[str, Any] | None:
        return self._told

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        if issubclass(err[0], EndOfJob):
            raise err[1]
        if not isinstance(test, unittest.TestCase):
            self._whole_class(test, {"outcome": "pass"})
        self._fail(test, err)

    def addFailure(self, test: Any, err: Any) -> None:  # noqa: N802
        self._fail(test, err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            self._fail(test, err)

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        if not isinstance(test, unittest.TestCase):
            self._whole_class(test, {"outcome": "skip", "reason": reason, "refused": self._probe()[2]})
        elif self._told is not None:
            self._told |= {"outcome": "skip", "reason": reason}

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802
        if self._told is not None:
            self._told |= {"outcome": "fail", "reason": "unexpected success"}

    def _whole_class(self, test: Any, told: dict[str, Any]) -> None:
        """What becomes of setUpClass and the like counts as a test: unittest then runs none of the class."""
        self._gate.enter(self._index, name_of(test), self._told)
        self._told = told

    def _fail(self, test: Any, err: Any) -> None:
        refusal = refusal_in(err[1])
        said = {"outcome": "refused", "reason": refusal} if refusal else None
        text = "".join(traceback.format_exception(*err))[-_LONGEST:]
        assert self._told is not None
        if self._told["outcome"] != "fail":  # the worst counts
            self._told |= said or {"outcome": "fail", "reason": text}
        # At once, since the other ranks may wait for this one for ever.
        self._write({"failed": name_of(test), "rank": self._told})


def refusal_in(error: BaseException | None) -> str | None:
    """The function that was refused, if that is why."""
    while error is not None:
        text = str(error)
        if "Raddle: " in text and " is not supported on an endpoint" in text:
            return text.partition("Raddle: ")[2].partition(" is not supported")[0]
        error = error.__cause__ or error.__context__
    return None


def name_of(test: Any) -> str:
    """As it is called whatever rank's module it is of; of what is about a class, CLASS.(setUpClass)."""
    name = test.id()
    if not isinstance(test, unittest.TestCase):
        stage, _, where = name.partition(" (")
        name = f"{where.rstrip(')')}.({stage})"
    module, _, rest = name.partition(".")
    return f"{module.partition('__of_')[0]}.{rest}"


def wanted(suite: unittest.TestSuite, skip: set[str]) -> Iterator[Any]:
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            if left := list(wanted(one, skip)):
                yield unittest.TestSuite(left)
        elif not skip & {name_of(one), f"{name_of(one).rpartition('.')[0]}.(setUpClass)"}:
            yield one


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.dont_write_bytecode = True
    sys.path.insert(0, job["tests"])
    sys.modules["cupy"] = sys.modules["numba"] = None  # type: ignore[assignment]
    import mpi4py  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    mpi4py.rc.thread_level = "multiple"
    from mpi4py import MPI  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    control = MPI.COMM_WORLD.Dup()
    process = control.Get_rank()
    journal = Path(job["journal"]).open("a", encoding="utf-8") if process == 0 else None  # noqa: SIM115

    def write(line: dict[str, Any]) -> None:
        if journal:
            journal.write(json.dumps(line) + "\n")
            journal.flush()

    last: list[str | None] = [None]

    def exchange(test: str | None, told: list[Any]) -> bool:
        everyone = control.allgather((test, told))
        outcomes = [one for _, listed in everyone for one in listed]
        if last[0] is not None:
            write({"done": last[0], "ranks": outcomes})
        bad = any(one and one["outcome"] == "fail" for one in outcomes)
        mixed = len({one["outcome"] for one in outcomes if one} - {"skip"}) > 1
        in_step = all(other == test for other, _ in everyone)
        go_on = not bad and not mixed and in_step and test is not None
        last[0] = test if go_on else None
        if go_on:
            write({"start": test})
        elif test is not None or not in_step:
            write({"stopped": [other for other, _ in everyone]})
        return go_on

    threads = job["threads"][process] if job["threads"] else 0
    if threads:
        raddle = Raddle()
        as_threads(raddle, Locks(raddle.library, MPI, control), job, threads, exchange)
    elif not job["threads"]:
        gate = Gate(1, exchange)
        result = Result(0, gate, lambda: (0, 0, None), job)
        if not run_rank(job, "", result):
            finish(gate, 0, result)
    write({"end": True})
    control.Free()
    MPI.Finalize()
    # Threads that tests have left behind are no reason to stay.
    sys.stderr.flush()
    os._exit(0)


def finish(gate: Gate, index: int, result: Result) -> None:
    """What is to be told of the last test; nothing, where the job has been ended at a gate."""
    try:
        gate.enter(index, None, result.last())
    except (EndOfJob, threading.BrokenBarrierError):
        return


def as_threads(
    raddle: Raddle, locks: Locks, job: dict[str, Any], count: int, exchange: Callable[[str | None, list[Any]], bool]
) -> None:
    ranks = raddle.make(count)
    inherit_ranks(raddle)
    gate = Gate(count, exchange)

    def one(index: int) -> None:
        raddle.adopt(ranks[index])
        raddle.library.MPI_Init(None, None)
        locks.give()
        result = Result(index, gate, lambda: (*raddle.calls(ranks[index]), raddle.refused(ranks[index])), job)
        try:
            suffix = f"__of_{index}" if index else ""
            if not run_rank(job, suffix, result):
                finish(gate, index, result)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(4)

    # To itself each is a process, whose first thread has this name.
    started = [threading.Thread(target=one, name="MainThread", args=(index,)) for index in range(count)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def run_rank(job: dict[str, Any], suffix: str, result: Result) -> bool:
    """Whether the job was ended before the last test."""
    skip, own = set(job["skip"]), Modules(suffix)
    try:
        for name in job["modules"]:
            result.begin_module(name)
            try:
                suite = unittest.defaultTestLoader.loadTestsFromModule(own.load(name))
            except Exception:
                # It asks the MPI for something as it begins: that is then the module's one test.
                suite = unittest.TestSuite([Unloadable(name, sys.exc_info()[1])])
            result.end_load()
            unittest.TestSuite(wanted(suite, skip)).run(result)
            result.end_module()
    except EndOfJob:
        return True
    return False


def inherit_ranks(raddle: Raddle) -> None:
    """Threads that a rank starts are that rank as well."""
    start = threading.Thread.start

    def as_same_rank(thread: threading.Thread) -> None:
        rank = raddle.adopted()
        run = thread.run

        def adopting() -> None:
            raddle.adopt(rank)
            run()

        if rank.value:
            thread.run = adopting  # type: ignore[method-assign]
        start(thread)

    threading.Thread.start = as_same_rank  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    main()
