# SPDX-License-Identifier: BSD-3-Clause
"""A finding of the catalogue as it occurred: its sentences filled with facts, and its mend as settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from raddle.doctor.catalogue import Finding, Severity


@dataclass(frozen=True)
class Diagnosis:
    """`settings` is what `do` tells to export; empty where something else mends it."""

    finding: Finding
    values: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        return self.finding.severity

    @property
    def seen(self) -> str:
        return self._filled(self.finding.seen)

    @property
    def matters(self) -> str:
        return self._filled(self.finding.matters)

    @property
    def do(self) -> str:
        return self._filled(self.finding.do)

    def _filled(self, sentence: str) -> str:
        return sentence.format_map({"settings": as_words(self.settings), **self.values})


def as_words(settings: Mapping[str, str]) -> str:
    """Settings as they are typed after `export`."""
    return " ".join(f"{name}={value}" for name, value in settings.items())


def shown(command: Sequence[str]) -> str:
    """A command as people type it, without the place of its program."""
    return " ".join([Path(command[0]).name, *command[1:]]) if command else ""


def wrong(diagnoses: Sequence[Diagnosis], accepted: Sequence[str] = ()) -> list[Diagnosis]:
    """Those that make the command fail: wrong, and not accepted by name."""
    return [one for one in diagnoses if one.severity is Severity.WRONG and str(one.finding) not in accepted]
