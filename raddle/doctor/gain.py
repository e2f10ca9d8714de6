# SPDX-License-Identifier: BSD-3-Clause
"""What a setting brought on this machine, measured: never a promise, and never more than its interval allows."""

from __future__ import annotations

from dataclasses import dataclass

from raddle.doctor.catalogue import Finding
from raddle.stats.ratio import Ratio
from raddle.units import format_value
from raddle.wording import told


@dataclass(frozen=True)
class Gain:
    """Medians without and with the settings, and how many times one is the other, paired by block."""

    finding: Finding
    work: str  # what was measured, e.g. "msgrate lane, 2 threads, one-process"
    unit: str = ""
    without: float = 0.0
    with_it: float = 0.0
    ratio: Ratio | None = None
    oversubscribed: bool = False
    problem: str = ""  # why nothing was measured

    @property
    def words(self) -> str:
        """One sentence."""
        if self.problem or self.ratio is None:
            return f"nothing ({self.work}: {self.problem or 'no block has both'})."
        values = f"{format_value(self.without, self.unit)} without, {format_value(self.with_it, self.unit)} with it"
        claim = f"{told(self.ratio)}" if self.ratio.shown else f"{told(self.ratio)}, {self.ratio.words}"
        crowd = "; oversubscribed, so for such machines only" if self.oversubscribed else ""
        return f"{claim} ({self.work}: {values}; {self.ratio.n} blocks{crowd})."
