# SPDX-License-Identifier: BSD-3-Clause
"""Writes the wrappers in C++. What they call is in src/interpose/wrapper.hpp."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from generator.functions import Behaviour, Function
from generator.header import Declaration, Parameter
from generator.standard import Handle, Result

HEAD = "// Made by src/interpose/generate.py: every change is lost.\n"
# Their answers are reached by a jump, since they are called most. What may throw in them has its barrier there
# (src/interpose/on_endpoint/send.cpp, receive.cpp, window.cpp).
_OWN_BARRIER = (
    *("Send", "Isend", "Recv", "Irecv"),
    *("Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap"),
    *("Win_lock", "Win_unlock", "Win_flush", "Win_flush_local"),
)
# Each instruction of it counts, so it looks at its statuses where it has to know anyway whether there are any.
_CHECKS_ITSELF = ("MPI_Waitall",)
_ONE_ATTRIBUTE = ("MPI_Attr_get", "MPI_Comm_get_attr")
_KEPT_BY_DUPLICATES = ("MPI_Attr_put", "MPI_Comm_set_attr", "MPI_Comm_set_info")
# Where a job has proxies these are about its world as well: some MPIs raise there what belongs to no communicator. With
# others it depends on them where that is.
_SETS_HANDLER = ("MPI_Comm_set_errhandler", "MPI_Errhandler_set")


# What tells whether they have found what they looked for, by its position among the parameters: a flag or a count.
_POLLS = {
    "MPI_Improbe": 3,
    "MPI_Iprobe": 3,
    "MPI_Request_get_status": 1,
    "MPI_Request_get_status_all": 2,
    "MPI_Request_get_status_any": 3,
    "MPI_Request_get_status_some": 2,
    "MPI_Test": 1,
    "MPI_Testall": 2,
    "MPI_Testany": 3,
    "MPI_Testsome": 2,
}
# Wrappers made for the MPI-5 ABI translate constants for libraries with that of a draft (src/interpose/abi_draft.hpp):
# what is translated, by its position among the parameters.
_ATTRIBUTE = {"MPI_Attr_get": 1, "MPI_Comm_get_attr": 1}
_WHENCE = {"MPI_File_seek": 2, "MPI_File_seek_shared": 2}

_Wrapper = Callable[[Function, Declaration, int, int], str]


def sources(functions: Sequence[Function], files: int, *, standard_abi: bool = False) -> list[str]:
    """The wrappers of all functions in so many sources of like size."""
    each = -(-len(functions) // files)
    firsts = range(0, files * each, each)
    return [_source(functions[first : first + each], first, standard_abi=standard_abi) for first in firsts]


def names(functions: Sequence[Function]) -> str:
    """The source with the names of the functions, by number, a place for what each of them calls, and what it calls
    where the library does not have it."""
    listed = "".join(f'    "{function.name}",\n' for function in functions)
    absent = "".join(f"    absent<{2 * at}>, absent<{2 * at + 1}>,\n" for at in range(len(functions)))
    return (
        f'{HEAD}#include "interpose/wrapper.hpp"\n\nnamespace raddle::interpose {{\n\n'
        f"const int functions = {len(functions)};\n"
        f"const char* const names[{len(functions)}] = {{\n{listed}}};\n"
        f"void* next[{2 * len(functions)}] = {{}};\n\n"
        # Whatever a function returns, this does not return.
        "namespace {\ntemplate <int entry>\nvoid absent() {\n  lack(entry);\n}\n}  // namespace\n\n"
        f"void (*const lacking[{2 * len(functions)}])() = {{\n{absent}}};\n\n}}  // namespace raddle::interpose\n"
    )


def _source(functions: Sequence[Function], first: int, *, standard_abi: bool) -> str:
    make = _with_draft(_wrapper) if standard_abi else _wrapper
    wrappers = [
        make(function, declaration, first + at, profiling)
        for at, function in enumerate(functions)
        for profiling, declaration in enumerate((function.own, function.profiling))
        if declaration
    ]
    headers = ("abi_draft", "always", "attached", "installed_mpi", "on_endpoint", "wrapper")
    names = (f"{name}.{'h' if name == 'installed_mpi' else 'hpp'}" for name in headers)
    includes = "".join(f'#include "interpose/{name}"\n' for name in names) + "\n"
    alias = "namespace layer = raddle::interpose;  // parameters have names of all sorts\n\n"
    return f'{HEAD}{includes}{alias}extern "C" {{\n\n{"".join(wrappers)}}}\n'


def _wrapper(function: Function, declaration: Declaration, number: int, profiling: int) -> str:
    entry = 2 * number + profiling
    returns_code = declaration.returns_code
    answered = function.behaviour in (Behaviour.UNSUPPORTED, Behaviour.ENDPOINT)
    kinds = sorted({handle.kind for handle in function.taken}) if answered else []
    if function.behaviour is Behaviour.NATIVE:  # the MPI may know another one
        kinds = ["communicator"] * bool(_communicators(function, declaration)) + ["window"] * bool(_windows(function))
    native = f"reinterpret_cast<decltype(&{declaration.name})>(layer::next[{entry}])"
    told = function.makes_communicators and not profiling
    pass_on = _told(function, declaration, _around(function, declaration, f"{native}({declaration.arguments()})"), told)
    polls = None if profiling else _POLLS.get(function.name)  # Raddle itself looks by the other names
    polled = f'layer::polled({{}}, {declaration.parameters[polls].name}, "{function.name}")' if polls else "{}"
    if function.behaviour is Behaviour.ALWAYS:
        arguments = ", ".join(filter(None, (native, declaration.arguments())))
        body = (
            f"  layer::begin();\n  layer::passed({entry});\n  return layer::always::{function.own_name}({arguments});\n"
        )
        return f"RADDLE_ENTRY {declaration.prototype()} {{\n{_barrier(function, declaration, body)}}}\n\n"
    lines = [f"layer::passed({entry});"]
    if function.name in _SETS_HANDLER:
        comm = declaration.parameters[0].name
        both = f"if (const int code = {native}({declaration.arguments()}); code != MPI_SUCCESS) return code;"
        lines.append(f"if (layer::programs({comm}) != {comm}) {{ {both} }}")
    lines += _of_the_program(function, declaration)
    comms = _communicators(function, declaration)
    if answered:
        answer = _answer(function, declaration, number)
        moves = function.moves(declaration)
        then = f"return {answer};"
        if function.behaviour is Behaviour.ENDPOINT:
            buffers = ", ".join(declaration.parameters[at].name for at in function.buffers)
            gpu = f"if (layer::in_a_gpu({buffers})) return layer::refuse_gpu(*found, {number}); " if buffers else ""
            then = f"{{ const layer::Answering answering({str(moves).lower()}); {gpu}{then} }}"
        lines += [f"if (auto* found = {_find(one, declaration)}) {then}" for one in function.taken]
        lines += ["layer::Answering::past();"] if moves else []
    if function.attached:
        comm = declaration.parameters[function.taken[0].position].name
        answer = f"layer::attached::{function.own_name}({declaration.arguments()})"
        lines.append(f"if (layer::attached::takes({comm})) return {answer};")
    if function.name != "MPI_Abort":
        lines += [f"layer::in_time({comm}, {number});" for comm in comms]
    last = _around(function, declaration, _on_real(function, declaration, native))
    if function.name.endswith("_call_errhandler"):
        asked = _on_real(function, declaration, f"P{function.name.replace('_call_', '_get_')}")
        asked = f"{asked.rpartition(',')[0]}, its)"  # instead of the error
        last = f"layer::call_handler([&](MPI_Errhandler* its) {{ return {asked}; }}, [&] {{ return {last}; }})"
    # Errors of files are raised on files, those of opening on MPI_FILE_NULL.
    if returns_code and not function.name.startswith("MPI_File_"):
        about = [f"layer::real({comms[0]})" if function.behaviour is Behaviour.NATIVE else comms[0]] if comms else []
        others = [one for one in function.taken if one.kind == "session"] + _windows(function)
        how = f"of_handle<{_kind(others[0].kind)}>" if others else "of_rank"
        about += [declaration.parameters[one.position].name for one in others]
        last = polled.format(f"layer::{how}({', '.join([last, *about])})")
    elif returns_code:
        files = [declaration.parameters[one.position] for one in function.taken if one.kind == "file"]
        about = [("*" if one.points else "") + one.name for one in files] or ["MPI_FILE_NULL"]
        last = f"layer::of_file({', '.join([last, *about])})"
    lines.append(_told(function, declaration, last, told))
    body = _barrier(function, declaration, "".join(f"  {line}\n" for line in lines))
    if function.attached:
        return f"RADDLE_ENTRY {declaration.prototype()} {{\n{body}}}\n\n"
    watched = f"{declaration.name}_watched"
    near = ""
    short = _hints(declaration) if told else []
    short.append(f"const auto seen = layer::watched({', '.join(map(_kind, kinds))});")
    short.append(f"if (seen == 0) [[likely]] {pass_on}")
    if answered and len(function.taken) == 1 and function.taken[0].length is None:
        one = function.taken[0]
        given = declaration.parameters[one.position]
        look = "look_near_at" if given.points else "look_near"
        answer = _answer(function, declaration, number)
        if returns_code and function.own_name not in _OWN_BARRIER:
            inside = f"{declaration.name}_near"
            found = f", raddle::endpoints::Behind<{_kind(one.kind)}>* found)"
            head = f"[[gnu::noinline]] static {declaration.prototype(inside).removesuffix(')')}{found}"
            near = f"{head} {{\n{_barrier(function, declaration, f'  return {answer};{chr(10)}')}}}\n"
            answer = f"{inside}({declaration.arguments()}, found)"
        short += [
            f"const auto [found, sure] = layer::{look}<{_kind(one.kind)}>(seen, {given.name});",
            f"if (found != nullptr) return {answer};",
            f"if (sure) {_polled(polled, pass_on)}",
        ]
    short.append(f"return {watched}({declaration.arguments()});")
    first = "".join(f"  {line}\n" for line in short)
    return (
        f"{near}[[gnu::noinline]] static {declaration.prototype(watched)} {{\n{body}}}\n"
        f"RADDLE_ENTRY {declaration.prototype()} {{\n{first}}}\n\n"
    )


def _polled(polled: str, pass_on: str) -> str:
    call = pass_on.removeprefix("return ").removesuffix(";")
    return f"return {polled.format(call)};"


def _barrier(function: Function, declaration: Declaration, body: str) -> str:
    """The body, of which no exception comes out: it becomes an error, which the call returns."""
    if not declaration.returns_code or function.name == "MPI_Abort":
        return body
    comm = ", ".join(_communicators(function, declaration)[:1])
    return f"  try {{\n{body}  }} catch (...) {{\n    return layer::caught({comm});\n  }}\n"


def _of_the_program(function: Function, declaration: Declaration) -> list[str]:
    """What the program means by its communicators. A handle that only becomes an integer stays what it is, and the end
    of a job is that of all its processes."""
    if function.name == "MPI_Abort" or function.name.endswith(("_c2f", "_toint")):
        return []
    asked = [declaration.parameters[1].name] if function.name in _ONE_ATTRIBUTE else []
    return [f"{comm} = layer::programs({', '.join([comm, *asked])});" for comm in _communicators(function, declaration)]


def _communicators(function: Function, declaration: Declaration) -> list[str]:
    """Those that a call is about: handles that come in by value."""
    if function.name.endswith(("_c2f", "_toint")):
        return []
    given = (declaration.parameters[one.position] for one in function.taken if one.kind == "communicator")
    return [one.name for one in given if not one.points]


def _windows(function: Function) -> list[Handle]:
    """Those that a call is about, where the MPI is to do it."""
    if function.behaviour is not Behaviour.NATIVE or function.name.endswith(("_c2f", "_toint")):
        return []
    return [one for one in function.taken if one.kind == "window"]


def _on_real(function: Function, declaration: Declaration, native: str) -> str:
    """What is left to the MPI. A handle that only becomes an integer stays what it is."""
    arguments = [parameter.name for parameter in declaration.parameters]
    if function.behaviour is Behaviour.NATIVE and not function.name.endswith(("_c2f", "_toint")):
        for one in function.taken:
            if one.kind == "communicator" and not declaration.parameters[one.position].points:
                looks, keeps = function.name in _ONE_ATTRIBUTE, function.name in _KEPT_BY_DUPLICATES
                how = "real_to_look" if looks else "real_to_keep" if keeps else "real"
                given = [arguments[one.position], *([arguments[1]] if looks else [])]
                arguments[one.position] = f"layer::{how}({', '.join(given)})"
        for one in _windows(function):
            arguments[one.position] = f"layer::real_window({arguments[one.position]})"
    return f"{native}({', '.join(arguments)})"


def _around(function: Function, declaration: Declaration, call: str) -> str:
    """A call of the MPI, with what goes around it: one that frees a communicator detaches it first."""
    if function.name in _SETS_HANDLER:
        return f"raddle::endpoints::handler_set({declaration.parameters[0].name}, {call})"
    if function.name == "MPI_Parrived":
        request, _, flag = (parameter.name for parameter in declaration.parameters)
        return f"({request} == MPI_REQUEST_NULL ? layer::on_endpoint::arrived_of_nothing({flag}) : {call})"
    if not function.frees_communicators:
        return call
    comm = next(declaration.parameters[one.position] for one in function.handles if one.kind == "communicator")
    parts = ", true" if function.name == "MPI_Comm_disconnect" else ""
    return f"(layer::attached::leave({comm.name}{parts}), {call})"


def _hints(declaration: Declaration) -> list[str]:
    """Raddle's hints for a communicator are looked at before it is made."""
    infos = [one.name for one in declaration.parameters if one.type == "MPI_Info"]
    of = declaration.parameters[0].name
    refused = f"if (const int code = layer::attached::refused({of}, {{}}); code != MPI_SUCCESS) return code;"
    return [refused.format(info) for info in infos]


def _told(function: Function, declaration: Declaration, call: str, told: bool) -> str:
    """Returns what the MPI does; what it makes is told, with what it is made of where that takes time."""
    if not told:
        return f"return {call};"
    later = "idup" in function.name
    of_them = [declaration.parameters[one.position] for one in function.handles if one.kind == "communicator"]
    made = of_them[-1]
    infos = [one.name for one in declaration.parameters if one.type == "MPI_Info"]
    arguments = [f"[&] {{ return {call}; }}", *([of_them[0].name] if later else []), made.name, *infos]
    if later:
        arguments += [declaration.parameters[one.position].name for one in function.handles if one.kind == "request"]
    how = "idup" if later else "made" if made.points else "hinted"
    return f"return layer::attached::{how}({', '.join(arguments)});"


def _answer(function: Function, declaration: Declaration, number: int) -> str:
    if function.behaviour is Behaviour.UNSUPPORTED:
        return f"layer::refuse(*found, {number})"
    arguments = [parameter.name for parameter in declaration.parameters]
    if _stands_alone(function, declaration):
        arguments[function.taken[0].position] = "*found"  # and the others stay in their registers
    else:
        arguments.insert(0, "*found")
    answer = f"layer::on_endpoint::{function.own_name}({', '.join(arguments)})"
    if function.name in _CHECKS_ITSELF:
        return answer
    if function.one_group:
        answer = f"layer::two_groups(*found) ? layer::refuse_two_groups(*found) : {answer}"
    for one in reversed(may_be_missing(function, declaration)):
        given = declaration.parameters[one.position].name
        asked = [given] if one.length is None else [given, declaration.parameters[one.length].name]
        missing = f"layer::{'no_status' if one.status else 'no_result'}({', '.join(asked)})"
        answer = f'{missing} ? layer::refuse_null(*found, {number}, "{one.name}") : {answer}'
    return answer


def may_be_missing(function: Function, declaration: Declaration) -> list[Result]:
    """The results whose addresses may be null, where a handle has been found: it was at no null address."""
    found = {one.position for one in function.taken if declaration.parameters[one.position].points}
    return [one for one in function.results if one.position not in found]


def _stands_alone(function: Function, declaration: Declaration) -> bool:
    """Whether there is one handle, and it is an argument by itself: what stands behind it takes its place."""
    return len(function.taken) == 1 and not declaration.parameters[function.taken[0].position].points


def _find(handle: Handle, declaration: Declaration) -> str:
    given, kind = declaration.parameters[handle.position], _kind(handle.kind)
    if not given.points:
        return f"layer::find<{kind}>({given.name})"
    count = "1" if handle.length is None else declaration.parameters[handle.length].name
    return f"layer::find_in<{kind}>({given.name}, {count})"


def _kind(kind: str) -> str:
    return f"layer::Kind::{kind}"


def _with_draft(wrapper: _Wrapper) -> _Wrapper:
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
