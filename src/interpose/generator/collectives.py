# SPDX-License-Identifier: BSD-3-Clause
"""Makes the blocking, the nonblocking and the persistent form of each collective on an endpoint.

What their arguments mean is the same for all three, and written by hand: described::NAME. What a form does with that is
in src/interpose/on_endpoint/forms.hpp and, for collectives on neighbours, in neighbourhood.hpp.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.functions import Table
from generator.standard import Argument, Procedure, forms
from generator.wrappers import HEAD

# By kind, and whether there are several: what takes the arguments of both forms, those for large counts among them.
_TYPES = {
    ("COMMUNICATOR", False): "Endpoint&",
    ("DATATYPE", False): "MPI_Datatype",
    ("DATATYPE", True): "const MPI_Datatype*",
    ("DISPLACEMENT", True): "Numbers",
    ("INFO", False): "MPI_Info",
    ("OPERATION", False): "MPI_Op",
    ("POLYDISPLACEMENT", True): "Numbers",
    ("POLYXFER_NUM_ELEM_NNI", False): "MPI_Count",
    ("POLYXFER_NUM_ELEM_NNI", True): "Numbers",
    ("RANK", False): "int",
    ("REQUEST", False): "MPI_Request*",
}
_ADDED = ("COMMUNICATOR", "INFO", "REQUEST")  # what a form has beside what it is about
_IN = "namespace raddle::interpose::on_endpoint {\n\n"
_OUT = "}  // namespace raddle::interpose::on_endpoint\n"


def header(standard: Mapping[str, Procedure], table: Table) -> str:
    """The header that declares all forms."""
    declared = "".join(
        "".join(f"{_prototype(standard[form])};\n" for form in _forms(standard, name)) + "\n"
        for name in table.collectives
    )
    return (
        f'{HEAD}#pragma once\n\n#include <mpi.h>\n\n#include "endpoints/collectives/pieces.hpp"\n'
        f'#include "endpoints/endpoint.hpp"\n\n{_IN}using endpoints::Endpoint;\n'
        f"using endpoints::collectives::Numbers;\n\n{declared}{_OUT}"
    )


def source(standard: Mapping[str, Procedure], table: Table) -> str:
    """The source that defines them."""
    includes = "".join(
        f'#include "interpose/on_endpoint/{name}.hpp"\n'
        for name in ("between_groups", "forms", "in_seats", "movement", "neighbourhood", "reduction")
    )
    defined = "".join(_definitions(standard, name, table) for name in table.collectives)
    return f'{HEAD}#include "generated/collectives.hpp"\n\n{includes}\n{_IN}{defined}{_OUT}'


def _forms(standard: Mapping[str, Procedure], name: str) -> tuple[str, str, str]:
    """Those of a collective; raises ValueError for what is none."""
    all_forms = forms(name)
    if missing := [form for form in all_forms if form not in standard]:
        raise ValueError(f"{name} is no collective: the standard has no {missing[0]}")
    return all_forms


def _definitions(standard: Mapping[str, Procedure], name: str, table: Table) -> str:
    own = name.removeprefix("MPI_")
    arguments = [one.name for one in standard[name].parameters if one.kind not in _ADDED]
    described = f"[&](Held* held) {{ return described::{own}({', '.join(['comm', 'held', *arguments])}); }}"
    between = _between_groups(name, arguments, table)
    blocking, nonblocking, persistent = _forms(standard, name)
    shorter = ""
    if name in table.in_seats:
        given = ", ".join(["comm", *arguments])
        shorter = f"  if (const int code = {own.lower()}_in_seats({given}); code != another_way) return code;\n"
    begun, made = "start(comm, request, {})", f'init(comm, "{persistent}", request, {{}})'
    bodies = [
        between(f'run_between(comm, "{blocking}", {{}})')
        + shorter
        + _return(f'run(comm, "{blocking}", {{}})', described),
        between(begun) + _return(begun, described),
        between(made) + _return(made, described),
    ]
    return "".join(
        f"{_prototype(standard[form])} {{\n{body}}}\n\n"
        for form, body in zip((blocking, nonblocking, persistent), bodies, strict=True)
    )


def _return(call: str, described: str) -> str:
    return f"  return {call.format(described)};\n"


def _between_groups(name: str, arguments: list[str], table: Table) -> Callable[[str], str]:
    """What writes how a form begins, given what it does with a description: it looks whether there are two groups."""
    given = ", ".join(["comm", "*held", *arguments])
    described = f"[&](Held* held) {{ return between_groups::{name.removeprefix('MPI_')}({given}); }}"

    def write(call: str) -> str:
        known = name in table.between_groups
        then = call.format(described) if known else "endpoints::raise(comm.comm, MPI_ERR_COMM)"
        return f"  if (comm.has_two_groups()) [[unlikely]] return {then};\n"

    return write


def _prototype(form: Procedure) -> str:
    return f"int {form.name.removeprefix('MPI_')}({', '.join(map(_parameter, form.parameters))})"


def _parameter(one: Argument) -> str:
    if one.kind == "BUFFER":
        return f"{'const ' if one.direction == 'in' else ''}void* {one.name}"
    kind = _TYPES[one.kind, one.several]
    return kind if one.kind == "INFO" else f"{kind} {one.name}"  # no hint for a collective is known
