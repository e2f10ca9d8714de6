# SPDX-License-Identifier: BSD-3-Clause
"""Lets wrappers made for the MPI-5 ABI translate constants for libraries with that of a draft (abi_draft.hpp)."""

from __future__ import annotations

from collections.abc import Callable

from generator.functions import Function
from generator.header import Declaration, Parameter

Wrapper = Callable[[Function, Declaration, int, int], str]
_ATTRIBUTE = {"MPI_Attr_get": 1, "MPI_Comm_get_attr": 1}
_WHENCE = {"MPI_File_seek": 2, "MPI_File_seek_shared": 2}


def with_draft(wrapper: Wrapper) -> Wrapper:
    """The same wrappers, between a function that translates what goes in and what comes back."""

    def make(function: Function, declaration: Declaration, number: int, profiling: int) -> str:
        text = wrapper(function, declaration, number, profiling)
        before = [line for at, one in enumerate(declaration.parameters) if (line := _into(function.name, at, one))]
        back = [one.name for one in declaration.parameters if one.type == "MPI_Errhandler *"]
        if not before and not back:
            return text
        inner = f"{declaration.name}_of_library"
        entry = f"RADDLE_ENTRY {declaration.prototype()} {{"
        lines = [*before, f"const int code = {inner}({declaration.arguments()});"]
        lines += [f"layer::abi_draft::errhandler_back({name});" for name in back]
        body = "".join(f"  {line}\n" for line in [*lines, "return code;"])
        return f"{text.replace(entry, f'static {declaration.prototype(inner)} {{')}{entry}\n{body}}}\n\n"

    return make


def _into(name: str, at: int, parameter: Parameter) -> str:
    if parameter.type == "MPI_Errhandler":
        return f"{parameter.name} = layer::abi_draft::errhandler({parameter.name});"
    if _ATTRIBUTE.get(name) == at:
        return f"{parameter.name} = layer::abi_draft::attribute({parameter.name});"
    if _WHENCE.get(name) == at:
        return f"{parameter.name} = layer::abi_draft::whence({parameter.name});"
    return ""
