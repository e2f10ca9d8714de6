# SPDX-License-Identifier: BSD-3-Clause
"""Whether two runs of a program have written the same, and figures of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from raddle.errors import UserError

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w.])")
_SHOWN = 3


def pattern(text: str, option: str) -> re.Pattern[str]:
    """A regular expression that an option was given. Raises UserError."""
    try:
        return re.compile(text)
    except re.error as error:
        raise UserError(f"{option} '{text}' is no regular expression: {error}.") from error


@dataclass(frozen=True)
class Rules:
    """What of an output does not count."""

    ignored: Sequence[re.Pattern[str]] = field(default=())
    tolerance: float = 0.0  # of numbers, relative

    def differences(self, expected: str, found: str) -> list[str]:
        """Lines that only one of them has, with - and +; none if they are the same.

        The order of lines does not count: ranks write when they like.
        """
        missing, more = self._lines(expected), self._lines(found)
        for line in list(missing):
            match = next((other for other in more if self._same(line, other)), None)
            if match is not None:
                missing.remove(line)
                more.remove(match)
        return [*(f"- {line}" for line in missing), *(f"+ {line}" for line in more)]

    def _lines(self, text: str) -> list[str]:
        for ignored in self.ignored:
            text = ignored.sub("", text)
        return sorted(line.rstrip() for line in text.splitlines() if line.strip())

    def _same(self, one: str, other: str) -> bool:
        if one == other:
            return True
        if self.tolerance <= 0 or _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
            return False
        return all(self._close(a, b) for a, b in zip(_numbers(one), _numbers(other), strict=True))

    def _close(self, a: float, b: float) -> bool:
        return abs(a - b) <= self.tolerance * max(abs(a), abs(b))


def shown(differences: Sequence[str]) -> list[str]:
    """Some of them, as many as one looks at."""
    left_out = len(differences) - 2 * _SHOWN
    some = [*differences[:_SHOWN], *differences[-_SHOWN:]] if left_out > 0 else list(differences)
    return [*some, f"and {left_out} more"] if left_out > 0 else some


def figure(metric: re.Pattern[str], output: str) -> float | None:
    """What a metric's expression finds last: its first group, or all of it."""
    matches = list(metric.finditer(output))
    if not matches:
        return None
    try:
        return float(matches[-1].group(1 if metric.groups else 0))
    except (TypeError, ValueError):
        return None


def _numbers(line: str) -> Iterator[float]:
    for text in _NUMBER.findall(line):
        yield float(text.replace("d", "e").replace("D", "e"))
