# SPDX-License-Identifier: BSD-3-Clause
"""What endpoints and communicators take with very many ranks: memory, messages, rounds.

    .venv/bin/python tools/scale.py [--out docs/results/scale.json]

No cluster is needed: tests/unit/scale_test.cpp makes the endpoints of one node among so many ranks, and the processes
that agree on a communicator, up to 100,000 of either.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import msgspec

from raddle.errors import UserError
from raddle.native import build


class Scale(msgspec.Struct, forbid_unknown_fields=True):
    """By how many ranks, or processes, there are: bytes of one endpoint beside its inbox; rounds of messages, and
    messages of all and the most of one process, until a communicator may be made."""

    memory: dict[int, int]
    rounds: dict[int, int]
    messages: dict[int, int]
    most_of_one: dict[int, int]


def measure() -> Scale:
    """@raise UserError: it cannot be built, or its test fails"""
    root = build(None, preset="release", targets=["unit_tests"])
    program = next(path for path in root.rglob("unit_tests") if path.is_file())
    with tempfile.TemporaryDirectory(prefix="raddle-scale-") as folder:
        out = Path(folder, "scale.json")
        run = subprocess.run(
            [program, "--gtest_filter=Scale.*", f"--gtest_output=json:{out}"],
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if run.returncode != 0:
            raise UserError(f"the test of scale fails:\n{run.stdout}")
        return read(out.read_bytes())


def read(report: bytes) -> Scale:
    """Of what GoogleTest has written."""
    found: dict[str, dict[int, int]] = {}
    for suite in msgspec.json.decode(report)["testsuites"]:
        for test in suite["testsuite"]:
            for key, value in test.items():
                what, among, size = key.rpartition("_among_")
                if among:
                    found.setdefault(what, {})[int(size)] = int(value)
    return Scale(found["bytes_of_an_endpoint"], found["rounds"], found["messages"], found["most_of_one"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="where the figures go, as JSON")
    args = parser.parse_args()
    try:
        scale = measure()
    except UserError as error:
        raise SystemExit(f"scale: {error}") from None
    for size, memory in scale.memory.items():
        print(f"{size:7} ranks: {memory / 1024:6.1f} KiB an endpoint")
    for size, rounds in scale.rounds.items():
        print(f"{size:7} processes: {rounds:3} rounds, at most {scale.most_of_one[size]} messages of a process")
    if args.out:
        args.out.write_bytes(msgspec.json.format(msgspec.json.encode(scale), indent=2) + b"\n")


if __name__ == "__main__":
    main()
