# SPDX-License-Identifier: BSD-3-Clause
"""How far a build is, heard from what ninja prints, and how long it will take."""

from __future__ import annotations

import re
import time

from raddle.say import Say
from raddle.units import duration

# NINJA_STATUS: steps that are done, and all.
STATUS = "[%f/%t] "
_STEP = re.compile(r"\[(\d+)/(\d+)\] ")
_FIRST_SECONDS, _EACH_SECONDS = 5.0, 10.0
_ENOUGH = 3  # steps, before one can guess how long the others take


class Steps:
    """Tells now and then what of a build is done. Builds of some seconds are over before there is anything to tell."""

    def __init__(self, report: Say) -> None:
        self._report = report
        self._begun = time.monotonic()
        self._next = self._begun + _FIRST_SECONDS

    def heard(self, line: str) -> None:
        """A line of ninja's."""
        found, now = _STEP.match(line), time.monotonic()
        if not found or now < self._next:
            return
        done, steps = int(found[1]), int(found[2])
        if _ENOUGH <= done < steps:
            left = (now - self._begun) / done * (steps - done)
            self._report(f"  {done} of {steps} steps done, about {duration(left)} left")
            self._next = now + _EACH_SECONDS
