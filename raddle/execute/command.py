# SPDX-License-Identifier: BSD-3-Clause
"""How a program is started. By itself: what only starts programs need not load what reads results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """How a launch is started: `env` is its whole environment, `shown` the part of it that Raddle made."""

    argv: list[str]
    env: dict[str, str]
    shown: dict[str, str]
