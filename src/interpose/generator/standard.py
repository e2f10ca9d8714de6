# SPDX-License-Identifier: BSD-3-Clause
"""The C functions of the MPI standard and what their parameters are, from the data that pympistandard brings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

# What an endpoint's handle can be, by the standard's name for such a parameter.
KINDS = {
    "COMMUNICATOR": "communicator",
    "REQUEST": "request",
    "MESSAGE": "message",
    "WINDOW": "window",
    "FILE": "file",
    "GROUP": "group",
    "SESSION": "session",
}


@dataclass(frozen=True)
class Handle:
    """A parameter that is a handle, or several: `length` is the position of the parameter that says how many."""

    position: int
    kind: str
    direction: str  # "in", "out" or "inout"
    length: int | None = None


@dataclass(frozen=True)
class Result:
    """A parameter that is the address of a result: of several, if the parameter at `length` is not 0."""

    position: int
    name: str
    length: int | None = None
    status: bool = False  # there is a constant for none


@dataclass(frozen=True)
class Argument:
    """A parameter as the standard describes it, by the name that it has for such a kind."""

    name: str
    kind: str
    direction: str
    several: bool  # it is an array


@dataclass(frozen=True)
class Procedure:
    """A C function; `handles` are those of its parameters that an endpoint may stand behind, `results` are addresses
    that may not be null. Buffers may be, and what comes in as well."""

    name: str
    parameters: tuple[Argument, ...]
    handles: tuple[Handle, ...]
    results: tuple[Result, ...] = ()
    buffers: tuple[int, ...] = ()  # positions of what is sent, received, read or written


def procedures() -> dict[str, Procedure]:
    """All C functions by name, the `_c` forms with large counts among them."""
    text = files("pympistandard").joinpath("data", "apis.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return {one.name: one for entry in found.values() for one in _both_sizes(entry)}


def forms(collective: str) -> tuple[str, str, str]:
    """The names of the blocking form, which is given, of the nonblocking and of the persistent one."""
    return collective, f"MPI_I{collective.removeprefix('MPI_').lower()}", f"{collective}_init"


def _both_sizes(entry: Mapping[str, Any]) -> Iterator[Procedure]:
    attributes = entry["attributes"]
    if attributes["callback"] or attributes["predefined_function"]:
        return
    if attributes["c_expressible"]:
        yield _procedure(entry, entry["name"], large=False)
    if any(parameter["kind"].startswith("POLY") for parameter in entry["parameters"]):
        yield _procedure(entry, f"{entry['name']}_c", large=True)


def _procedure(entry: Mapping[str, Any], name: str, *, large: bool) -> Procedure:
    taken = [one for one in entry["parameters"] if "c_parameter" not in one["suppress"].split()]
    taken = [one for one in taken if large or not one["large_only"]]
    places = {one["name"]: position for position, one in enumerate(taken)}
    handles = [
        Handle(position, KINDS[one["kind"]], one["param_direction"], places[one["length"]] if one["length"] else None)
        for position, one in enumerate(taken)
        if one["kind"] in KINDS
    ]
    parameters = (
        Argument(one["name"], one["kind"], one["param_direction"], one["length"] is not None) for one in taken
    )
    buffers = (position for position, one in enumerate(taken) if one["kind"] == "BUFFER")
    return Procedure(name, tuple(parameters), tuple(handles), tuple(_results(taken, places)), tuple(buffers))


def _results(taken: Sequence[Mapping[str, Any]], places: Mapping[str, int]) -> Iterator[Result]:
    count = places.get("incount", places.get("count"))
    for position, one in enumerate(taken):
        # Weights are left out where there are none, and error codes where nobody wants them (MPI_ERRCODES_IGNORE);
        # buffers may begin at the null address; the name of a set is not looked at if there is no room for it.
        optional = one["kind"] in ("BUFFER", "WEIGHT", "ERROR_CODE") or one["name"] == "pset_name"
        if one["param_direction"] == "in" or optional:
            continue
        length = one["length"]
        # Of lengths that depend on others the standard's data say "*".
        several = places.get(length, count) if isinstance(length, str) else None
        if length and several is None:
            continue
        yield Result(position, one["name"], several, one["kind"] == "STATUS")
