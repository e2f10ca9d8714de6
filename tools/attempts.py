# SPDX-License-Identifier: BSD-3-Clause
"""Launches of the tools beside this one: each has a time limit, and is written down as soon as it has ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from raddle.errors import UserError
from raddle.execute.job import Job

Key = dict[str, str | int]
_SETTLE_SECONDS = 1.0  # for processes that are just ending
_SHOWN = 500  # letters of what a command said, the last ones


def printed(argv: list[str], env: Mapping[str, str], seconds: float) -> str:
    """What a command prints. Raises UserError when it fails or takes longer; nothing of it runs on in any case."""
    with Job(argv, dict(env)) as job:
        try:
            out, err = (said.decode(errors="replace") for said in job.process.communicate(timeout=seconds))
        except subprocess.TimeoutExpired as error:
            raise UserError(f"{' '.join(argv)} did not end within {seconds:g} s") from error
        finally:
            if job.process.poll() is None or not job.gone_within(_SETTLE_SECONDS):
                job.stop()
    if job.process.returncode != 0:
        raise UserError(f"{' '.join(argv)} ended with status {job.process.returncode}", hint=(err or out)[-_SHOWN:])
    return out


def keep(path: Path, attempts: Iterable[tuple[Key, Callable[[], object]]]) -> list[dict[str, Any]]:
    """Makes the attempts and writes what each finds into a file of JSON lines beside its key, which it returns.

    One that fails is told, and costs no other one; Ctrl-C costs those that were not made yet.
    """
    with path.open("wb", buffering=0) as file:
        try:
            for key, attempt in attempts:
                try:
                    line = {**key, "found": attempt()}
                except UserError as error:
                    print(f"{', '.join(map(str, key.values()))}: {error}\n{error.hint}", file=sys.stderr)
                    line = {**key, "failed": str(error)}
                file.write(msgspec.json.encode(line) + b"\n")
        except KeyboardInterrupt:
            print(f"stopped: what follows is of the launches that are in {path}", file=sys.stderr)
    lines = [msgspec.json.decode(line, type=dict[str, Any]) for line in path.read_bytes().splitlines()]
    return [line for line in lines if "found" in line]
