# SPDX-License-Identifier: BSD-3-Clause
"""Writes the wrappers that record calls, in C++. What they call is in src/profile/call.hpp."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generator.header import Declaration
from generator.profiled import About, is_profiled
from generator.standard import Procedure

_HEAD = "// Made by src/interpose/generate_preloaded.py: every change is lost.\n"
_WORD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Profiled:
    """A function, under its own name and, where the header has it, under that of the profiling interface."""

    name: str
    declarations: tuple[Declaration | None, Declaration | None]
    procedure: Procedure | None


def profiled(procedures: Mapping[str, Procedure], declared: Mapping[str, Declaration]) -> list[Profiled]:
    """All that the header declares and whose calls are recorded, in the order of their names."""
    names = sorted(name for name in declared if not name.startswith("P") and _may_be(declared[name]))
    return [Profiled(name, (declared[name], declared.get(f"P{name}")), procedures.get(name)) for name in names]


def _may_be(declaration: Declaration) -> bool:
    variadic = any("..." in parameter.declaration for parameter in declaration.parameters)
    return declaration.returns_code and not variadic and is_profiled(declaration.name)


Says = Callable[[str, Procedure | None], About]
"""What is said of a call, by the function's name."""


def sources(functions: Sequence[Profiled], files: int, says: Says, namespace: str) -> list[str]:
    """The wrappers in so many sources of like size; they call what is in `namespace`."""
    each = -(-len(functions) // files)
    made = (_wrappers(functions, first, first + each, says, namespace) for first in range(0, files * each, each))
    return [_source(text, namespace) for text in made]


def names(functions: Sequence[Profiled]) -> str:
    """The source with the names of the functions by number, a place for what each calls, and what it calls where the
    library does not have it."""
    all_names = [*(function.name for function in functions), "MPIX_Comm_create_endpoints"]
    listed = "".join(f'    "{name}",\n' for name in all_names)
    absent = "".join(f"    absent<{2 * at}>, absent<{2 * at + 1}>,\n" for at in range(len(all_names)))
    return (
        f'{_HEAD}#include "profile/next.hpp"\n\nnamespace raddle::profile {{\n\n'
        f"const std::uint32_t functions = {len(all_names)};\nconst std::uint32_t create_endpoints = {len(functions)};\n"
        f"const char* const names[{len(all_names)}] = {{\n{listed}}};\n"
        f"void* next[{2 * len(all_names)}] = {{}};\n\n"
        # Whatever a function returns, this does not return.
        "namespace {\ntemplate <int entry>\nvoid absent() {\n  lack(entry);\n}\n}  // namespace\n\n"
        f"void (*const lacking[{2 * len(all_names)}])() = {{\n{absent}}};\n\n}}  // namespace raddle::profile\n"
    )


def _source(wrappers: str, namespace: str) -> str:
    return (
        f'{_HEAD}#include "interpose/installed_mpi.h"\n'
        f'#include "{namespace}/wrapper.hpp"\n\n'
        f'namespace {namespace} = raddle::{namespace};\n\nextern "C" {{\n\n{wrappers}}}\n'
    )


def _wrappers(functions: Sequence[Profiled], first: int, end: int, says: Says, namespace: str) -> str:
    return "".join(
        _wrapper(function, declaration, 2 * number + profiling, says(function.name, function.procedure), namespace)
        for number, function in list(enumerate(functions))[first:end]
        for profiling, declaration in enumerate(function.declarations)
        if declaration
    )


def _wrapper(function: Profiled, declaration: Declaration, entry: int, said: About, namespace: str) -> str:
    words = _words(function.procedure, declaration)
    first, before, after, last = (_filled(text, words) for text in (said.first, said.before, said.after, said.last))
    call = f"reinterpret_cast<decltype(&{declaration.name})>({namespace}::next[{entry}])"
    lines = [
        first,
        f"{namespace}::Call call({entry // 2}, {_communicator(function, declaration, namespace)}, "
        "__builtin_return_address(0));",
        before,
        f"const int code = {call}({declaration.arguments()});",
        f"if (call.ends() && code == MPI_SUCCESS) {{ {after} }}" if after else "call.ends();",
        last,
        "return code;",
    ]
    body = "".join(f"  {line}\n" for line in lines if line)
    return f"RADDLE_ENTRY {declaration.prototype()} {{\n{body}}}\n\n"


def _words(procedure: Procedure | None, declaration: Declaration) -> dict[str, str]:
    """The header's names of parameters, which may differ, by the standard's."""
    if procedure is None:
        return {one.name: one.name for one in declaration.parameters}
    if len(procedure.parameters) != len(declaration.parameters):
        raise ValueError(f"this mpi.h declares {declaration.name} with other parameters than the standard")
    words = {one.name: own.name for one, own in zip(procedure.parameters, declaration.parameters, strict=True)}
    return words | ({"count": words["incount"]} if "incount" in words else {})


def _filled(text: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda found: words[found[1]], text)


def _communicator(function: Profiled, declaration: Declaration, namespace: str) -> str:
    """The first one that comes in, by value or, to be freed, by address."""
    for one in declaration.parameters:
        if one.type == "MPI_Comm" and not one.points:
            return f"{namespace}::bits({one.name})"
    if function.name in ("MPI_Comm_free", "MPI_Comm_disconnect"):
        return f"{namespace}::bits(*{declaration.parameters[0].name})"
    return f"{namespace}::no_communicator"


__all__ = ["About", "Profiled", "names", "profiled", "sources"]
