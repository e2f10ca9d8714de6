# SPDX-License-Identifier: BSD-3-Clause
"""What the user asked for, checked against the catalogue."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import msgspec

from raddle.catalogue import Catalogue
from raddle.errors import UserError


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of one `raddle run`; an empty list or None means that the user left the choice to us."""

    benchmarks: list[str] = []
    mode: str = "default"
    mpis: list[str] = []
    variants: list[str] = []
    placements: list[str] = []
    profile: str | None = None
    params: dict[str, list[int]] = {}

    def checked(self, catalogue: Catalogue) -> Request:
        """The same request with its benchmarks spelled out.

        Raises UserError for a name that is not in the catalogue or a parameter that no chosen benchmark has.
        """
        check_names("mode", [self.mode], catalogue.modes)
        check_names("benchmark", self.benchmarks, catalogue.benchmarks)
        check_names("variant", self.variants, catalogue.variants)
        check_names("placement", self.placements, catalogue.placements)
        check_names("profile", [self.profile] if self.profile else [], catalogue.profiles)
        chosen = list(dict.fromkeys(self.benchmarks)) or list(catalogue.benchmarks)
        for name in self.params:
            if not any(name in catalogue.benchmarks[benchmark].params for benchmark in chosen):
                raise UserError(
                    f"--{name} means nothing to {' or '.join(chosen)}.",
                    hint=f"Leave it out, or add a benchmark that has it: {', '.join(_owners(name, catalogue))}.",
                )
        return msgspec.structs.replace(self, benchmarks=chosen)


def check_names(kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    """Raise UserError for the first unknown name, with the closest valid one and the whole list."""
    known = list(valid)
    for name in names:
        if name in known:
            continue
        close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        guess = f" Did you mean {close[0]!r}?" if close else ""
        raise UserError(f"There is no {kind} {name!r}.{guess}", hint=f"Valid: {', '.join(known)}.")


def _owners(param: str, catalogue: Catalogue) -> list[str]:
    return [name for name, benchmark in catalogue.benchmarks.items() if param in benchmark.params]
