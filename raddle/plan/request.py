# SPDX-License-Identifier: BSD-3-Clause
"""What the user asked for, checked against the catalogue."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import msgspec

from raddle.catalogue import Catalogue, Param
from raddle.errors import UserError
from raddle.model import Value
from raddle.plan.values import SHARED


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of one `raddle run`; an empty list or None means that the user left the choice to us."""

    benchmarks: list[str] = []
    mode: str = "default"
    mpis: list[str] = []
    variants: list[str] = []
    placements: list[str] = []
    profile: str | None = None
    params: dict[str, list[Value]] = {}

    def checked(self, catalogue: Catalogue) -> Request:
        """The same request with its benchmarks spelled out.

        Raises UserError for a name that is not in the catalogue or a parameter that no chosen benchmark has.
        """
        check_names("mode", [self.mode], catalogue.modes)
        check_names("benchmark", self.benchmarks, [*catalogue.benchmarks, *catalogue.suites])
        check_names("variant", self.variants, catalogue.variants)
        check_names("placement", self.placements, catalogue.placements)
        check_names("profile", [self.profile] if self.profile else [], catalogue.profiles)
        chosen = catalogue.spelt_out(self.benchmarks)
        check_names("parameter", self.params, _parameters(catalogue))
        for name, values in self.params.items():
            owners = [one for one in chosen if name in catalogue.benchmarks[one].params]
            if not owners:
                raise UserError(
                    f"{'--' if name in SHARED else '--param '}{name} means nothing to {' or '.join(chosen)}.",
                    hint=f"Leave it out, or add a benchmark that has it: {', '.join(_owners(name, catalogue))}.",
                )
            for owner in owners:
                _check_values(name, values, catalogue.benchmarks[owner].params[name])
        return msgspec.structs.replace(self, benchmarks=chosen)


def _check_values(name: str, values: Iterable[Value], param: Param) -> None:
    """Raise UserError for a value of another kind than the parameter's, or out of its range."""
    for value in values:
        if param.choices:
            check_names(name, [str(value)], param.choices)
        elif not param.allows(value):
            raise UserError(f"{name} cannot be {value!r}.", hint=f"It is {param.kind}: {param.summary}.")


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


def _parameters(catalogue: Catalogue) -> dict[str, None]:
    return dict.fromkeys(name for benchmark in catalogue.benchmarks.values() for name in benchmark.params)
