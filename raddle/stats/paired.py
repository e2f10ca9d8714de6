# SPDX-License-Identifier: BSD-3-Clause
"""What was compared block by block, so that what disturbs a whole block disturbs both and cancels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Paired:
    """An estimate; `lo` and `hi` are its 95 % interval, both None when `n` blocks are too few for one."""

    NONE: ClassVar[float]  # what it is of two that are the same

    estimate: float
    lo: float | None
    hi: float | None
    n: int

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.lo is None or self.hi is None else (self.lo, self.hi)

    @property
    def shown(self) -> bool:
        """Whether the data show a difference: there is an interval, and it does not hold what means none."""
        return self.interval is not None and not self.interval[0] <= self.NONE <= self.interval[1]

    @property
    def words(self) -> str:
        """What may be claimed: `difference shown`, `no difference shown` or `n too small`."""
        if self.interval is None:
            return "n too small"
        return "difference shown" if self.shown else "no difference shown"
