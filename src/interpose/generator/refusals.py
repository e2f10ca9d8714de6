# SPDX-License-Identifier: BSD-3-Clause
"""Writes the test that gives an endpoint's handle to every function that refuses it, in each place that takes one."""

from __future__ import annotations

from collections.abc import Sequence

from generator.functions import Behaviour, Function
from generator.header import Declaration
from generator.standard import Handle, Result
from generator.wrappers import HEAD, may_be_missing


def refusals(functions: Sequence[Function]) -> str:
    """The source with the table of calls; tests/mpi/refusals.hpp says what they are given."""
    calls = [
        f'    {{"{function.name}", [](Handles& given) {{ return {_call(declaration, handle)}; }}}},\n'
        for function in functions
        if function.behaviour is Behaviour.UNSUPPORTED
        for declaration in (function.own, function.profiling)
        for handle in function.taken
        if declaration
    ]
    return (
        f'{HEAD}#include "mpi/refusals.hpp"\n\nnamespace raddle::interpose {{\n\n'
        f"const std::vector<Refusal>& refusals() {{\n  static const std::vector<Refusal> all{{\n{''.join(calls)}  }};\n"
        "  return all;\n}\n\n}  // namespace raddle::interpose\n"
    )


def _call(declaration: Declaration, handle: Handle) -> str:
    arguments = ["Nothing{}"] * len(declaration.parameters)
    address = "&" if declaration.parameters[handle.position].points else ""
    arguments[handle.position] = f"{address}given.{handle.kind}"
    if handle.length is not None:
        arguments[handle.length] = "1"
    return f"({declaration.name})({', '.join(arguments)})"


def missing_results(functions: Sequence[Function]) -> str:
    """The source of the table of calls that give an endpoint's handle and the null address for one result; it follows
    the other one."""
    calls = [
        f'    {{"{function.name}", "{result.name}", {str(result.status).lower()},\n'
        f"     [](Handles& given) {{ return {_call_without(function, result)}; }}}},\n"
        for function in functions
        if function.behaviour is Behaviour.ENDPOINT
        for result in may_be_missing(function, function.own)
    ]
    return (
        "\nnamespace raddle::interpose {\n\nconst std::vector<MissingResult>& missing_results() {\n"
        f"  static const std::vector<MissingResult> all{{\n{''.join(calls)}  }};\n"
        "  return all;\n}\n\n}  // namespace raddle::interpose\n"
    )


def _call_without(function: Function, missing: Result) -> str:
    declaration = function.own
    arguments = ["Nothing{}"] * len(declaration.parameters)
    for one in function.results:
        arguments[one.position] = "Somewhere{}"
    for handle in function.taken:
        address = "&" if declaration.parameters[handle.position].points else ""
        arguments[handle.position] = f"{address}given.{handle.kind}"
        if handle.length is not None:
            arguments[handle.length] = "1"
    for one in function.results:
        if one.length is not None:
            arguments[one.length] = "1"
    arguments[missing.position] = "nullptr"
    return f"({declaration.name})({', '.join(arguments)})"
