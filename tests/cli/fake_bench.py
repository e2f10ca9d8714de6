#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A stand-in for raddle-bench and raddle-probe that obeys docs/build/bench-protocol.md, or misbehaves on request.

FAKE_BENCH names misdeeds as `what` or `what@words`, the latter only in launches whose id holds all the words joined
by "&"; several are separated by commas. FAKE_TRACE names a file to which each start and end is appended.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

MAPPED: list[mmap.mmap] = []
METRICS = {
    "msgrate": ("rate", "msg/s", "higher"),
    "latency": ("latency", "us", "lower"),
    "bandwidth": ("bandwidth", "MB/s", "higher"),
    "partitioned_bandwidth": ("bandwidth", "MB/s", "higher"),
}


def say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def misdeeds(launch: str) -> set[str]:
    chosen = set()
    for word in filter(None, os.environ.get("FAKE_BENCH", "").split(",")):
        what, _, where = word.partition("@")
        if all(part in launch for part in where.split("&")):
            chosen.add(what)
    return chosen


def trace(text: str) -> None:
    if path := os.environ.get("FAKE_TRACE"):
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(text + "\n")


def hang() -> NoReturn:
    while True:
        time.sleep(60)


def before_rows(does: set[str], launch: str) -> None:
    """Misdeeds of MPI_Init."""
    if "chatter" in does:
        print("WARNING: no help file\n{not json}\n[1, 2]\n\x1b[31mred", flush=True)
        print("libfabric: nothing works", file=sys.stderr, flush=True)
    if "flood" in does:
        for _ in range(2000):
            print("x" * 9999)
    if "endless-line" in does:
        sys.stdout.write("y" * (20 << 20) + "\n")
    if "refuse" in does:
        print("raddle-bench: 'bytes' is -1; allowed: 0 to 1073741824", file=sys.stderr)
        sys.exit(2)
    if "init-crash" in does:
        print("Fatal error in MPI_Init: nothing works", file=sys.stderr, flush=True)
        os.abort()
    if "no-thread-multiple" in does:
        say(type="error", launch=launch, code="no-thread-multiple", message="asked for multiple, got serialized")
        say(type="end", launch=launch, seconds=0, steal_s=0, rows=0, errors=1)
        sys.exit(3)
    if "stubborn" in does:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "grandchild" in does:  # a rank that its launcher loses: another session, the pipes still open
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    if "shm" in does:
        leave_shared_memory()


def leave_shared_memory() -> None:
    path = Path(os.environ["FAKE_SHM"]) / f"fake_mpi_{os.getpid()}"
    path.write_bytes(b"\0" * 4096)
    with path.open("r+b") as file:
        MAPPED.append(mmap.mmap(file.fileno(), 4096))


def row(plan: dict[str, Any], point: dict[str, Any], variant: str) -> dict[str, Any]:
    metric, unit, better = METRICS[point["benchmark"]]
    processes = 1 if point["placement"] == "one-process" else 2
    params = {**point["params"], "placement": point["placement"], "processes": processes}
    value = 1.0 + plan["block"] / 100 + len(variant) / 10
    if point["benchmark"] == "latency":
        value += point["params"]["bytes"] / 1e4
    return {
        "type": "row", "launch": plan["launch"], "block": plan["block"], "benchmark": point["benchmark"],
        "variant": variant, "params": params, "metric": metric, "unit": unit, "better": better,
        "samples": [value * (1 + n / 1000) for n in range(20)], "switches": [0] * 20, "iterations": 10,
        "warmup_samples": 2, "converged": True, "validated_bytes": 64, "cpus": [[0], [1]], "busy_contexts": 2,
        "flags": [], "extra": {},
    }  # fmt: skip


def serve_state() -> int:
    """The probe of the machine's state. FAKE_STATES: what it finds, in turn, in ns; "dies" and "mute" are misdeeds."""
    turns = os.environ.get("FAKE_STATES", "80").split(",")
    for number, question in enumerate(sys.stdin):
        found = turns[number % len(turns)]
        if found == "dies":
            return 1
        if found == "mute":
            hang()
        assert question.split()[1] in ("none", "compact", "spread")
        if found == "one":
            say(error="one CPU is next to no other")
        else:
            say(cpus=[[0, 1]], core_to_core_ns=float(found), copy_mb_s=10000.0)
    return 0


def main() -> int:
    if "--state" in sys.argv:
        return serve_state()
    plan = json.loads(Path(sys.argv[sys.argv.index("--plan") + 1]).read_text())
    launch = plan["launch"]
    does = misdeeds(launch)
    trace(f"start {launch}")
    before_rows(does, launch)
    say(
        type="launch", launch=launch, block=plan["block"], seed=plan["seed"], mpi=plan["mpi"], profile=plan["profile"],
        library_version="Fake MPI 1.0", standard="4.1", level_requested="multiple", level_provided="multiple",
        clock={"source": "CLOCK_MONOTONIC", "resolution_ns": 1, "cost_ns": 20},
        ranks=[{"rank": 0, "host": "here", "pid": os.getpid(), "cpus": [0, 1]}], cvars={},
        build={"compiler": "g++", "flags": "", "type": "Release", "version": "0"}, steal_s=0.0,
    )  # fmt: skip
    if "alone" in does:
        print("raddle-bench: msgrate needs 2 processes; this launch has 1", file=sys.stderr)
        sys.exit(2)
    rows = errors = 0
    for point in plan["sets"]:
        for variant in point["variants"]:
            time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
            if "hang" in does and rows:
                hang()
            if "crash" in does and rows:
                sys.stdout.write('{"type":"row","launch":"' + launch)  # cut in the middle of a line
                sys.stdout.flush()
                os.kill(os.getpid(), signal.SIGSEGV)
            about = {"launch": launch, "benchmark": point["benchmark"], "variant": variant, "params": point["params"]}
            if "invalid" in does:
                say(type="error", code="validation", message="byte 3 is 7, expected 8", **about)
                errors += 1
            elif "skip" in does and variant == "threadcomm":
                say(type="skip", code="variant-unavailable", message="no MPIX_Threadcomm", **about)
            else:
                if "glued" in does:
                    sys.stdout.write("a warning without a newline ")
                if "bad-row" in does:
                    say(**{**row(plan, point, variant), "samples": "many"})
                whole = json.dumps(row(plan, point, variant))
                print(
                    f"{whole[:60]}[warn] out of memory{whole[60:]}" if "torn" in does and not rows else whole,
                    flush=True,
                )
                rows += 1
    if "early" in does:
        return 0
    say(type="end", launch=launch, seconds=0.1, steal_s=0.0, rows=rows, errors=errors)
    trace(f"end {launch}")
    if "exit-hang" in does:
        hang()
    return 3 if errors else 7 if "status" in does else 0


if __name__ == "__main__":
    sys.exit(main())
