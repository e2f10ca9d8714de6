# SPDX-License-Identifier: BSD-3-Clause
"""What has no row is told all the same, once."""

from __future__ import annotations

import json

import msgspec

from raddle.judge.incidents import incidents
from raddle.notices import Notice
from raddle.results.launch_log import LaunchLog, parse_launches
from tests.stats.builders import launch_lines, result_row, row_line


def test_a_good_run_has_none() -> None:
    log = parse_launches(launch_lines("a", [row_line("a", 0, [1.0])]))
    rows = [result_row("msgrate", "thread", [1.0]), result_row("msgrate", "physical", [1.0])]
    assert incidents(log, rows, ["a"]) == []


def test_what_blocks_repeat_is_told_once() -> None:
    lines: list[str] = []
    for block in range(3):
        about = {"launch": f"b{block}", "benchmark": "latency", "variant": "threadcomm", "params": {"bytes": block}}
        skip = {"type": "skip", "code": "variant-unavailable", "message": "no MPIX_Threadcomm", **about}
        lines += launch_lines(f"b{block}", [skip], mpi="intel")
    [only] = incidents(parse_launches(lines), [])
    assert only.notice is Notice.VARIANT_SKIPPED
    assert (only.mpi, only.benchmark, only.variant) == ("intel", "latency", "threadcomm")
    assert only.message == "no MPIX_Threadcomm"
    assert only.launches == ("b0", "b1", "b2")


def test_errors_name_their_point() -> None:
    error = {"type": "error", "launch": "a", "code": "validation", "variant": "lane", "message": "byte 3 is 0",
             "params": {"bytes": 8}}  # fmt: skip
    odd = {"type": "error", "launch": "a", "code": "new-in-9", "message": None}
    first, second = incidents(parse_launches(launch_lines("a", [error, odd])), [])
    assert (first.notice, first.message) == (Notice.VALIDATION_FAILED, "byte 3 is 0 (bytes=8)")
    assert second.notice is Notice.BENCH_ERROR


def test_ends() -> None:
    def ended(**exit_keys: object) -> tuple[Notice, str]:
        lines = launch_lines("a", [])[:2]
        if exit_keys:
            lines.append(json.dumps({"type": "exit", "launch": "a", "log": ["last words"], **exit_keys}))
        [only] = incidents(parse_launches(lines), [])
        assert only.log == (("last words",) if exit_keys else ())
        return only.notice, only.message

    assert ended(status=None, signal=11) == (Notice.LAUNCH_DIED, "ended by signal 11")
    assert ended(status=9, signal=0) == (Notice.LAUNCH_DIED, "exited with status 9 before it had finished")
    assert ended(status=1, stopped="time limit") == (Notice.LAUNCH_TIMEOUT, "stopped: time limit")
    assert ended(status=1, stopped="interrupted") == (Notice.LAUNCH_DIED, "stopped: interrupted")
    assert ended() == (Notice.LAUNCH_DIED, "the run was cut off while this launch was under way")


def test_what_is_missing_from_the_whole() -> None:
    log = LaunchLog(unreadable=[(7, "cut")])
    # Nobody misses a limit where there can be none.
    rows = [result_row("latency", "thread", [1.0]), result_row("blocking_receive", "thread", [1.0])]
    found = incidents(log, rows, planned=["a", "b"])
    assert [(one.notice, one.message) for one in found] == [
        (Notice.UNREADABLE_LINE, "line 7: cut"),
        (Notice.RUN_CUT_OFF, "2 of 2 launches were not made"),
        (Notice.NO_PHYSICAL, "no physical probe of latency"),
    ]


def test_nobody_is_told_to_measure_a_limit_that_there_cannot_be() -> None:
    """Not of what one sends to itself, nor where there are too few CPUs: a probe has one for each."""
    row = result_row("msgrate", "thread", [1.0])
    to_itself = msgspec.structs.replace(row, params=row.params | {"partner": "self"})
    crowded = msgspec.structs.replace(row, profile="shared")
    assert incidents(LaunchLog(), [to_itself, crowded]) == []
    assert [one.notice for one in incidents(LaunchLog(), [to_itself, row])] == [Notice.NO_PHYSICAL]
