# SPDX-License-Identifier: BSD-3-Clause
"""Which functions are wrapped, and what each does when it is given the handle of an endpoint."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from generator.header import Declaration, Parameter
from generator.standard import Handle, Procedure, Result, forms

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TYPES = {
    "MPI_Comm": "communicator",
    "MPI_Request": "request",
    "MPI_Message": "message",
    "MPI_Win": "window",
    "MPI_File": "file",
    "MPI_Group": "group",
    "MPI_Session": "session",
}


# Of MPI-1, which some headers still have; those that may fail.
_REMOVED = (
    "MPI_Address",
    "MPI_Type_extent",
    "MPI_Type_hindexed",
    "MPI_Type_hvector",
    "MPI_Type_lb",
    "MPI_Type_struct",
    "MPI_Type_ub",
)


class Behaviour(str, Enum):
    """What a wrapper does; all but the last three only where an endpoint's handle is among the arguments."""

    UNSUPPORTED = "unsupported"  # raises an error that names the function
    ENDPOINT = "endpoint"  # calls Raddle's own
    NATIVE = "native"  # calls the MPI's
    GIVES = "gives"  # takes no handle, only makes some: calls the MPI's
    WITHOUT = "without"  # has to do with no handle at all: calls the MPI's, whose errors are a rank's
    ALWAYS = "always"  # calls Raddle's own whatever the arguments, and hands it the MPI's


@dataclass(frozen=True)
class Table:
    """What endpoint_functions.toml says."""

    behaviours: Mapping[str, Behaviour]  # by function
    collectives: tuple[str, ...] = ()  # those whose three forms are made from one; their blocking forms
    in_seats: frozenset[str] = frozenset()
    between_groups: frozenset[str] = frozenset()
    one_group: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset()
    makes_communicators: frozenset[str] = frozenset()
    frees_communicators: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Function:
    """A function to wrap: under its own name and, where the header has it, under that of the profiling interface."""

    name: str
    handles: tuple[Handle, ...]
    behaviour: Behaviour
    own: Declaration
    profiling: Declaration | None
    attached: bool = False  # what no endpoint's communicator is given to may be Raddle's all the same
    makes_communicators: bool = False  # those that the MPI makes may be attached
    frees_communicators: bool = False  # the one that is freed may be attached
    results: tuple[Result, ...] = ()
    one_group: bool = False  # on an intercommunicator it is an error
    buffers: tuple[int, ...] = ()  # positions of parameters

    @property
    def own_name(self) -> str:
        """Raddle's function for it: one for both forms, since counts that are `int` become `MPI_Count`."""
        return self.name.removeprefix("MPI_").removesuffix("_c")

    @property
    def taken(self) -> tuple[Handle, ...]:
        """The handles that come in."""
        return tuple(one for one in self.handles if one.direction != "out")

    def moves(self, declaration: Declaration) -> bool:
        """Whether it moves data on a communicator, or looks for some, or synchronises."""
        if self.behaviour is not Behaviour.ENDPOINT or not any(one.kind == "communicator" for one in self.taken):
            return False
        has_type = any(parameter.type.startswith("MPI_Datatype") for parameter in declaration.parameters)
        return has_type or "arrier" in self.name or "probe" in self.name


def chosen(text: str) -> Table:
    """What endpoint_functions.toml says; raises ValueError for what it may not say."""
    lists: dict[str, list[str]] = tomllib.loads(text)
    collectives = tuple(lists.pop("collectives", []))
    about_some = (
        "in_seats",
        "between_groups",
        "one_group",
        "attached",
        "makes_communicators",
        "frees_communicators",
    )
    in_seats, between, one_group, attached, makes, frees = (frozenset(lists.pop(key, [])) for key in about_some)
    allowed = (Behaviour.ENDPOINT, Behaviour.NATIVE, Behaviour.ALWAYS)
    if unknown := sorted(set(lists) - {one.value for one in allowed}):
        raise ValueError(f"unknown keys: {', '.join(unknown)}")
    named = [(name, Behaviour(key)) for key, names in lists.items() for name in names]
    named += [(form, Behaviour.ENDPOINT) for name in collectives for form in forms(name)]
    if len({name for name, _ in named}) < len(named):
        raise ValueError("a function is named twice")
    behaviours = dict(named)
    if wrong := sorted(name for name in attached if behaviours.get(name) is not Behaviour.ENDPOINT):
        raise ValueError(f"attached, but not Raddle's own on endpoints: {', '.join(wrong)}")
    if wrong := sorted((in_seats | between) - set(collectives)):
        raise ValueError(f"not among the collectives: {', '.join(wrong)}")
    if wrong := sorted(one_group - set(lists.get("endpoint", []))):
        raise ValueError(f"of one group, but not Raddle's own on endpoints: {', '.join(wrong)}")
    return Table(behaviours, collectives, in_seats, between, one_group, attached, makes, frees)


def functions(procedures: Mapping[str, Procedure], declared: Mapping[str, Declaration], table: Table) -> list[Function]:
    """All that the header declares and that concern endpoints, in the order of their names."""
    return [
        Function(
            name,
            handles,
            behaviour,
            declared[name],
            declared.get(f"P{name}"),
            name in table.attached,
            name in table.makes_communicators,
            name in table.frees_communicators,
            procedures[name].results if name in procedures else (),
            name.removesuffix("_c") in table.one_group,
            procedures[name].buffers if name in procedures else (),
        )
        for name, handles, behaviour in sorted(_concerned(procedures, declared, table))
    ]


def _concerned(
    procedures: Mapping[str, Procedure], declared: Mapping[str, Declaration], table: Table
) -> Iterable[tuple[str, tuple[Handle, ...], Behaviour]]:
    for name, declaration in declared.items():
        if name.startswith("PMPI"):
            continue
        known = procedures.get(name)
        if known and len(known.parameters) != len(declaration.parameters):
            raise ValueError(f"this mpi.h declares {name} with other parameters than the standard")
        handles = known.handles if known else _by_type(declaration.parameters)
        taken = any(one.direction != "out" for one in handles)
        behaviour = said(table, name) or _unsaid(taken=taken, gives=bool(handles))
        if behaviour is Behaviour.WITHOUT and not ((known or name in _REMOVED) and _may_fail(declaration)):
            continue
        if behaviour is Behaviour.UNSUPPORTED and declaration.result != "int":
            raise ValueError(f"{name} returns no error code, so endpoint_functions.toml has to say what it does")
        yield name, handles, behaviour


def _unsaid(*, taken: bool, gives: bool) -> Behaviour:
    if taken:
        return Behaviour.UNSUPPORTED
    return Behaviour.GIVES if gives else Behaviour.WITHOUT


def _may_fail(declaration: Declaration) -> bool:
    """Whether it raises errors that are about no communicator. The tool interface only returns them."""
    variadic = any("..." in parameter.declaration for parameter in declaration.parameters)
    return declaration.returns_code and not variadic and not declaration.name.startswith("MPI_T_")


def said(table: Table, name: str) -> Behaviour | None:
    """What the table says of a function; Raddle's own are for both forms, so one name stands for both."""
    small = table.behaviours.get(name.removesuffix("_c"))
    return table.behaviours.get(name) or (None if small is Behaviour.NATIVE else small)


def _by_type(parameters: Iterable[Parameter]) -> tuple[Handle, ...]:
    """Of a function that the standard does not know (an extension, or one that was removed): handles by value."""
    by_value = ((at, one.type) for at, one in enumerate(parameters) if not one.points)
    return tuple(Handle(at, _TYPES[kind], "in") for at, kind in by_value if kind in _TYPES)
