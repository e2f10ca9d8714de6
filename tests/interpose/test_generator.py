# SPDX-License-Identifier: BSD-3-Clause
"""The generator of wrappers, on headers small enough to see what comes out."""

from __future__ import annotations

import pytest
from check_codes import header as nodiscard
from generator import collectives
from generator.functions import Behaviour, Function, chosen, functions
from generator.header import declarations
from generator.refusals import refusals
from generator.standard import Handle, procedures
from generator.wrappers import names, sources

STANDARD = procedures()


def wrapped(header: str, table: str = "") -> list[Function]:
    return functions(STANDARD, declarations(header), chosen(table))


def source(header: str, table: str = "") -> str:
    (text,) = sources(wrapped(header, table), 1)
    return text


def body(text: str, name: str) -> list[str]:
    """The lines of one wrapper, or of what it leaves to another function, without prototype and barrier."""
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if f"({name})(" in line and line.endswith("{"))
    inside = [line.strip() for line in lines[start + 1 : lines.index("}", start)]]
    return [line for line in inside if line not in BARRIER and not line.startswith("return layer::caught(")]


BARRIER = ("try {", "} catch (...) {", "}")


def test_no_exception_comes_out() -> None:
    text = source("int MPI_Barrier(MPI_Comm comm);")
    assert text.count("} catch (...) {\n    return layer::caught(comm);") == 2
    assert "catch" not in source("MPI_Fint MPI_Comm_c2f(MPI_Comm comm);", 'native = ["MPI_Comm_c2f"]')


@pytest.mark.parametrize("kind", ["MPI_Fint", "int"])  # Open MPI's header has the latter
def test_an_integer_that_stands_for_a_handle_is_no_error(kind: str) -> None:
    text = source(f"{kind} MPI_Request_c2f(MPI_Request request);", 'native = ["MPI_Request_c2f"]')
    assert "of_rank" not in text
    assert "catch" not in text
    assert not wrapped(f"{kind} MPI_Type_c2f(MPI_Datatype type);")


def test_the_standard_has_the_functions_that_concern_endpoints() -> None:
    concerned = [one for one in STANDARD.values() if {"communicator", "request"} & {h.kind for h in one.handles}]
    assert len(concerned) == 311
    assert sum(one.name.endswith("_c") for one in concerned) == 105
    assert {handle.kind for one in STANDARD.values() for handle in one.handles} == {
        "communicator", "request", "message", "window", "file", "group", "session",
    }  # fmt: skip


def test_kinds_directions_and_lengths_come_from_the_standard() -> None:
    assert STANDARD["MPI_Isend"].handles == (Handle(5, "communicator", "in"), Handle(6, "request", "out"))
    assert STANDARD["MPI_Waitsome"].handles == (Handle(1, "request", "inout", length=0),)
    assert STANDARD["MPI_Mrecv"].handles == (Handle(3, "message", "inout"),)
    assert STANDARD["MPI_Rput_c"].handles == (Handle(7, "window", "in"), Handle(8, "request", "out"))
    assert STANDARD["MPI_File_close"].handles == (Handle(0, "file", "inout"),)
    small, large = (STANDARD[f"MPI_Type_get_envelope{suffix}"].parameters for suffix in ("", "_c"))
    assert len(small) + 1 == len(large)


def test_callbacks_and_what_c_lacks_are_no_functions() -> None:
    assert not {"MPI_Comm_errhandler_function", "MPI_COMM_DUP_FN", "MPI_Sizeof"} & set(STANDARD)


def test_prototypes_are_the_headers_with_their_attributes_taken_off() -> None:
    found = declarations(
        "# 1 \"mpi.h\"\n"
        "typedef int MPI_Comm; typedef int (MPI_Comm_copy_function)(MPI_Comm, int, void *);\n"
        "struct MPI_Status { int count; int (*f)(MPI_Comm); };\n"
        '__attribute__((visibility("default"))) int MPI_Pready_list(int length, int partition_list[],\n'
        "    MPI_Request request) __attribute__((deprecated(\"(no) ; more\")));\n"
        "extern int MPI_Group_range_incl(MPI_Group, int n, int[][3], MPI_Group *newgroup);\n"
        "extern double MPI_Wtime(void);\n"
        "MPI_Fint MPI_Comm_c2f(MPI_Comm comm);\n"
        "static inline int MPI_Own(MPI_Comm comm) { return comm; }\n"
        "int MPI_Pcontrol(const int level, ...);\n"
    )  # fmt: skip
    assert {one.prototype() for one in found.values()} == {
        "int (MPI_Pready_list)(int length, int partition_list[], MPI_Request request)",
        "int (MPI_Group_range_incl)(MPI_Group argument_0, int n, int argument_2[][3], MPI_Group *newgroup)",
        "double (MPI_Wtime)()",
        "MPI_Fint (MPI_Comm_c2f)(MPI_Comm comm)",
        "int (MPI_Pcontrol)(const int level, ...)",
    }
    assert found["MPI_Pready_list"].arguments() == "length, partition_list, request"


def test_const_is_the_headers_and_not_the_standards() -> None:
    plain = "int MPI_Request_get_status_all(int count, MPI_Request r[], int *flag, MPI_Status *s);"
    assert "(MPI_Request_get_status_all)(int count, MPI_Request r[]," in source(plain)
    strict = plain.replace("MPI_Request r[]", "const MPI_Request r[]")
    assert "(MPI_Request_get_status_all)(int count, const MPI_Request r[]," in source(strict)


def test_only_what_is_declared_is_wrapped_and_nothing_else() -> None:
    header = """
        int MPI_Barrier(MPI_Comm comm); int PMPI_Barrier(MPI_Comm comm);
        int MPI_Wait(MPI_Request *request, MPI_Status *status);
        int MPI_T_finalize(void); double MPI_Wtime(void);
        int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype d, int dest, int tag, MPI_Comm comm);
    """
    assert [one.name for one in wrapped(header)] == ["MPI_Barrier", "MPI_Send_c", "MPI_Wait"]
    text = source(header)
    assert text.count("RADDLE_ENTRY") == 4  # PMPI_Barrier too
    assert "(PMPI_Wait)" not in text
    assert 'names[3] = {\n    "MPI_Barrier",\n    "MPI_Send_c",\n    "MPI_Wait",\n' in names(wrapped(header))


def test_a_wrapper_passes_on_first_and_refuses_what_has_no_behaviour() -> None:
    text = source("int MPI_Barrier(MPI_Comm comm); int PMPI_Barrier(MPI_Comm comm);")
    for entry, name in enumerate(["MPI_Barrier", "PMPI_Barrier"]):
        pass_on = f"return reinterpret_cast<decltype(&{name})>(layer::next[{entry}])(comm);"
        assert body(text, name) == [
            "const auto seen = layer::watched(layer::Kind::communicator);",
            f"if (seen == 0) [[likely]] {pass_on}",
            "const auto [found, sure] = layer::look_near<layer::Kind::communicator>(seen, comm);",
            f"if (found != nullptr) return {name}_near(comm, found);",
            f"if (sure) {pass_on}",
            f"return {name}_watched(comm);",
        ]
        assert body(text, f"{name}_near") == ["return layer::refuse(*found, 0);"]
        assert body(text, f"{name}_watched") == [
            f"layer::passed({entry});",
            "comm = layer::programs(comm);",
            "if (auto* found = layer::find<layer::Kind::communicator>(comm)) return layer::refuse(*found, 0);",
            "layer::in_time(comm, 0);",
            f"return layer::of_rank({pass_on.removeprefix('return ').removesuffix(';')}, comm);",
        ]


def test_each_handle_that_comes_in_is_looked_at() -> None:
    text = source("int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result);")
    assert ["(a)" in text, "(b)" in text, text.count("layer::refuse")] == [True, True, 2]
    several = source("int MPI_Testall(int n, MPI_Request list[], int *flag, MPI_Status *s);")
    assert "layer::find_in<layer::Kind::request>(list, n)" in several
    one = source("int MPI_Cancel(MPI_Request *request);")
    assert "layer::find_in<layer::Kind::request>(request, 1)" in one


@pytest.mark.parametrize(
    ("key", "expected"),
    [("endpoint", "return layer::on_endpoint::Barrier(*found);"), ("native", None)],
)
def test_the_table_decides(key: str, expected: str | None) -> None:
    text = source("int MPI_Barrier(MPI_Comm comm);", f'{key} = ["MPI_Barrier"]')
    assert "layer::refuse" not in text
    assert (expected in text) if expected else ("found" not in text)


def test_what_is_left_to_the_mpi_is_on_the_communicator_that_the_thread_means() -> None:
    text = source("int MPI_Comm_set_name(MPI_Comm comm, const char *name);", 'native = ["MPI_Comm_set_name"]')
    assert body(text, "MPI_Comm_set_name_watched")[-1].endswith("(layer::real(comm), name), layer::real(comm));")
    keeps = source("int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value);", 'native = ["MPI_Comm_set_attr"]')
    assert "(layer::real_to_keep(comm), key, value)" in body(keeps, "MPI_Comm_set_attr_watched")[-1]
    text = source("MPI_Fint MPI_Comm_c2f(MPI_Comm comm);", 'native = ["MPI_Comm_c2f"]')
    assert body(text, "MPI_Comm_c2f_watched")[-1].endswith("(comm);")


def test_the_world_is_the_programs_but_where_a_job_ends_or_an_integer_is_made() -> None:
    of_two = source("int MPI_Intercomm_create(MPI_Comm a, int i, MPI_Comm b, int j, int k, MPI_Comm *made);")
    assert body(of_two, "MPI_Intercomm_create_watched")[1:3] == [
        "a = layer::programs(a);",
        "b = layer::programs(b);",
    ]
    attribute = source("int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);")
    assert "comm = layer::programs(comm, key);" in body(attribute, "MPI_Comm_get_attr_watched")
    assert "layer::programs" not in source("int MPI_Abort(MPI_Comm comm, int code);")
    handler = source(
        "int MPI_Comm_set_errhandler(MPI_Comm c, MPI_Errhandler e);", 'native = ["MPI_Comm_set_errhandler"]'
    )
    assert body(handler, "MPI_Comm_set_errhandler_watched")[1].startswith(
        "if (layer::programs(c) != c) { if (const int code = reinterpret_cast<"
    )
    assert "layer::programs" not in source("MPI_Fint MPI_Comm_c2f(MPI_Comm comm);", 'native = ["MPI_Comm_c2f"]')


def test_what_stands_behind_a_handle_takes_its_place_or_comes_first() -> None:
    by_itself = source("int MPI_Comm_rank(MPI_Comm comm, int *rank);", 'endpoint = ["MPI_Comm_rank"]')
    assert body(by_itself, "MPI_Comm_rank")[2:4] == [
        "const auto [found, sure] = layer::look_near<layer::Kind::communicator>(seen, comm);",
        "if (found != nullptr) return MPI_Comm_rank_near(comm, rank, found);",
    ]
    assert body(by_itself, "MPI_Comm_rank_near")[-1].endswith("layer::on_endpoint::Comm_rank(*found, rank);")
    behind_a_pointer = source("int MPI_Comm_free(MPI_Comm *comm);", 'endpoint = ["MPI_Comm_free"]')
    assert body(behind_a_pointer, "MPI_Comm_free")[2:4] == [
        "const auto [found, sure] = layer::look_near_at<layer::Kind::communicator>(seen, comm);",
        "if (found != nullptr) return MPI_Comm_free_near(comm, found);",
    ]
    assert body(behind_a_pointer, "MPI_Comm_free_near")[-1].endswith("layer::on_endpoint::Comm_free(*found, comm);")
    one_of_two = source("int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *r);", 'endpoint = ["MPI_Comm_compare"]')
    assert one_of_two.count("layer::on_endpoint::Comm_compare(*found, a, b, r);") == 2
    assert "look_near" not in one_of_two


def test_buffers_are_looked_at_only_where_the_gate_says_that_there_are_gpus() -> None:
    """Where there are, no endpoint is found near, so the calls that cost least ask nothing."""
    header = "int MPI_Reduce(const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm comm);"
    text = source(header, 'endpoint = ["MPI_Reduce"]')
    looks = "if (layer::in_a_gpu(s, r)) return layer::refuse_gpu(*found, 0);"
    assert text.count("in_a_gpu") == 1
    assert looks in "".join(body(text, "MPI_Reduce_watched"))
    assert "in_a_gpu" not in "".join(body(text, "MPI_Reduce"))
    assert "in_a_gpu" not in source("int MPI_Barrier(MPI_Comm comm);", 'endpoint = ["MPI_Barrier"]')


def test_what_is_attached_is_raddles_at_every_call() -> None:
    header = "int MPI_Psend_init(const void *b, int p, MPI_Count n, MPI_Datatype t, int d, int g, MPI_Comm comm, "
    header += "MPI_Info i, MPI_Request *r);"
    header += header.replace("MPI_Psend", "PMPI_Psend")
    text = source(header, 'endpoint = ["MPI_Psend_init"]\nattached = ["MPI_Psend_init"]')
    assert "watched" not in text
    for entry, name in enumerate(["MPI_Psend_init", "PMPI_Psend_init"]):
        assert body(text, name) == [
            f"layer::passed({entry});",
            "comm = layer::programs(comm);",
            "if (auto* found = layer::find<layer::Kind::communicator>(comm)) { "
            "const layer::Answering answering(true); "
            "if (layer::in_a_gpu(b)) return layer::refuse_gpu(*found, 0); "
            'return layer::no_result(r) ? layer::refuse_null(*found, 0, "request") '
            ": layer::on_endpoint::Psend_init(b, p, n, t, d, g, *found, i, r); }",
            "layer::Answering::past();",
            "if (layer::attached::takes(comm)) return layer::attached::Psend_init(b, p, n, t, d, g, comm, i, r);",
            "layer::in_time(comm, 0);",
            f"return layer::of_rank(reinterpret_cast<decltype(&{name})>(layer::next[{entry}])"
            "(b, p, n, t, d, g, comm, i, r), comm);",
        ]


@pytest.mark.parametrize(
    ("name", "parameters", "call", "told"),
    [
        ("MPI_Comm_dup", "MPI_Comm comm, MPI_Comm *made", "comm, made", "made({call}, made)"),
        ("MPI_Comm_set_info", "MPI_Comm comm, MPI_Info info", "comm, info", "hinted({call}, comm, info)"),
        (
            "MPI_Comm_idup_with_info",
            "MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request",
            "comm, info, made, request",
            "idup({call}, comm, made, info, request)",
        ),
        (
            "MPI_Intercomm_create",
            "MPI_Comm comm, int i, MPI_Comm peer, int j, int k, MPI_Comm *made",
            "comm, i, peer, j, k, made",
            "made({call}, made)",
        ),
    ],
)
def test_what_the_mpi_makes_is_told_under_the_programs_name(name: str, parameters: str, call: str, told: str) -> None:
    header = f"int {name}({parameters}); int P{name}({parameters});"
    text = source(header, f'native = ["{name}"]\nmakes_communicators = ["{name}"]')
    *before, _, short, _ = body(text, name)
    looks = "if (const int code = layer::attached::refused(comm, info); code != MPI_SUCCESS) return code;"
    assert before == [looks] * ("info" in parameters)
    real = body(text, f"{name}_watched")[-1]
    native = f"reinterpret_cast<decltype(&{name})>(layer::next[0])"
    assert short.endswith(f"return layer::attached::{told.format(call=f'[&] {{ return {native}({call}); }}')};")
    how = "real_to_keep" if name == "MPI_Comm_set_info" else "real"
    really = call.replace("comm", f"layer::{how}(comm)").replace("peer", "layer::real(peer)")
    raised = f"layer::of_rank({native}({really}), layer::real(comm))"
    assert real == f"return layer::attached::{told.format(call=f'[&] {{ return {raised}; }}')};"
    assert "attached" not in "".join(body(text, f"P{name}") + body(text, f"P{name}_watched"))


def test_what_only_makes_handles_passes_and_what_endpoints_depend_on_is_raddles() -> None:
    header = "int MPI_Comm_get_parent(MPI_Comm *parent); int MPI_Init(int *argc, char ***argv);"
    made = {one.name: one.behaviour for one in wrapped(header, 'always = ["MPI_Init"]')}
    assert made == {"MPI_Comm_get_parent": Behaviour.GIVES, "MPI_Init": Behaviour.ALWAYS}
    text = source(header, 'always = ["MPI_Init"]')
    assert "find" not in text
    assert body(text, "MPI_Init")[0] == "layer::begin();"
    assert body(text, "MPI_Init")[-1].startswith("return layer::always::Init(reinterpret_cast<")
    assert body(text, "MPI_Init")[-1].endswith(", argc, argv);")
    assert "const auto seen = layer::watched();" in body(text, "MPI_Comm_get_parent")[0]


def test_raddles_own_is_for_both_forms_and_the_mpis_for_the_one_that_is_named() -> None:
    header = "int MPI_Send(const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c);"
    header += "int MPI_Send_c(const void *b, MPI_Count n, MPI_Datatype t, int d, int g, MPI_Comm c);"
    text = source(header, 'endpoint = ["MPI_Send"]')
    assert text.count("layer::on_endpoint::Send(b, n, t, d, g, *found)") == 2 * 2  # at once, and further on
    made = {one.name: one.behaviour for one in wrapped(header, 'native = ["MPI_Send"]')}
    assert made == {"MPI_Send": Behaviour.NATIVE, "MPI_Send_c": Behaviour.UNSUPPORTED}


def test_what_takes_one_group_only_is_an_error_on_two() -> None:
    header = (
        "int MPI_Topo_test(MPI_Comm comm, int *status); int MPI_Cart_sub(MPI_Comm comm, const int d[], MPI_Comm *n);"
    )
    text = source(header, 'endpoint = ["MPI_Topo_test", "MPI_Cart_sub"]\none_group = ["MPI_Cart_sub"]')
    assert (
        text.count("layer::two_groups(*found) ? layer::refuse_two_groups(*found) : layer::on_endpoint::Cart_sub(") == 2
    )
    assert text.count("refuse_two_groups") == 2


def test_a_collective_is_named_once_for_its_three_forms() -> None:
    table = chosen('collectives = ["MPI_Reduce_scatter", "MPI_Neighbor_alltoallw"]')
    assert table.collectives == ("MPI_Reduce_scatter", "MPI_Neighbor_alltoallw")
    assert table.behaviours == dict.fromkeys(
        [
            "MPI_Reduce_scatter",
            "MPI_Ireduce_scatter",
            "MPI_Reduce_scatter_init",
            "MPI_Neighbor_alltoallw",
            "MPI_Ineighbor_alltoallw",
            "MPI_Neighbor_alltoallw_init",
        ],
        Behaviour.ENDPOINT,
    )


def test_the_forms_of_a_collective_are_made_of_what_its_arguments_mean() -> None:
    lists = (
        'collectives = ["MPI_Gatherv", "MPI_Barrier"]',
        'in_seats = ["MPI_Barrier"]',
        'between_groups = ["MPI_Gatherv"]',
    )
    table = chosen("\n".join(lists))
    arguments = "sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root"
    parameters = (
        "const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, Numbers recvcounts, "
        "Numbers displs, MPI_Datatype recvtype, int root, Endpoint& comm"
    )
    gatherv = f"[&](Held* held) {{ return described::Gatherv(comm, held, {arguments}); }}"
    barrier = "[&](Held* held) { return described::Barrier(comm, held); }"
    between = f"[&](Held* held) {{ return between_groups::Gatherv(comm, *held, {arguments}); }}"
    two = "if (comm.has_two_groups()) [[unlikely]] return {};"
    none = two.format("endpoints::raise(comm.comm, MPI_ERR_COMM)")
    shorter = "if (const int code = barrier_in_seats(comm); code != another_way) return code;"
    defined = {
        f"Gatherv({parameters})": [
            two.format(f'run_between(comm, "MPI_Gatherv", {between})'),
            f'return run(comm, "MPI_Gatherv", {gatherv});',
        ],
        f"Igatherv({parameters}, MPI_Request* request)": [
            two.format(f"start(comm, request, {between})"),
            f"return start(comm, request, {gatherv});",
        ],
        f"Gatherv_init({parameters}, MPI_Info, MPI_Request* request)": [
            two.format(f'init(comm, "MPI_Gatherv_init", request, {between})'),
            f'return init(comm, "MPI_Gatherv_init", request, {gatherv});',
        ],
        "Barrier(Endpoint& comm)": [none, shorter, f'return run(comm, "MPI_Barrier", {barrier});'],
        "Ibarrier(Endpoint& comm, MPI_Request* request)": [none, f"return start(comm, request, {barrier});"],
        "Barrier_init(Endpoint& comm, MPI_Info, MPI_Request* request)": [
            none,
            f'return init(comm, "MPI_Barrier_init", request, {barrier});',
        ],
    }
    header = collectives.header(STANDARD, table)
    assert [line for line in header.splitlines() if line.startswith("int ")] == [f"int {one};" for one in defined]
    whole = "".join(
        f"int {one} {{\n{''.join(f'  {line}{chr(10)}' for line in lines)}}}\n\n" for one, lines in defined.items()
    )
    assert f"\n{whole}}}  // namespace" in collectives.source(STANDARD, table)


def test_types_of_parameters_come_from_the_standards_kinds() -> None:
    header = collectives.header(STANDARD, chosen('collectives = ["MPI_Neighbor_alltoallw", "MPI_Bcast", "MPI_Scan"]'))
    assert (
        "int Neighbor_alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls, "
        "const MPI_Datatype* sendtypes, void* recvbuf, Numbers recvcounts, Numbers rdispls, "
        "const MPI_Datatype* recvtypes, Endpoint& comm);"
    ) in header
    assert "int Bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, Endpoint& comm);" in header
    assert "int Scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, " in header


def test_what_has_no_three_forms_is_no_collective() -> None:
    with pytest.raises(ValueError, match="MPI_Comm_dup is no collective: the standard has no MPI_Icomm_dup"):
        collectives.header(STANDARD, chosen('collectives = ["MPI_Comm_dup"]'))


def test_extensions_are_known_by_the_types_of_their_parameters() -> None:
    header = "int MPIX_Comm_agree(MPI_Comm comm, int *flag); int MPIX_Query(int *flag, MPI_Request list[]);"
    (extension,) = wrapped(header)
    assert (extension.name, extension.handles) == ("MPIX_Comm_agree", (Handle(0, "communicator", "in"),))
    assert extension.behaviour is Behaviour.UNSUPPORTED


def test_every_place_of_a_function_that_refuses_is_tested() -> None:
    header = "int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result); int MPI_Comm_get_parent(MPI_Comm *parent);"
    text = refusals(wrapped(header + "int MPI_Waitall(int n, MPI_Request list[], MPI_Status *s);"))
    assert "(MPI_Comm_compare)(given.communicator, Nothing{}, Nothing{})" in text
    assert "(MPI_Comm_compare)(Nothing{}, given.communicator, Nothing{})" in text
    assert "(MPI_Waitall)(1, &given.request, Nothing{})" in text
    assert "MPI_Comm_get_parent" not in text


def test_errors_of_calls_without_a_handle_are_a_ranks() -> None:
    text = source("int MPI_Type_commit(MPI_Datatype *datatype);")
    (made,) = wrapped("int MPI_Type_commit(MPI_Datatype *datatype);")
    assert made.behaviour is Behaviour.WITHOUT
    call = "reinterpret_cast<decltype(&MPI_Type_commit)>(layer::next[0])(datatype)"
    assert body(text, "MPI_Type_commit_watched") == ["layer::passed(0);", f"return layer::of_rank({call});"]


@pytest.mark.parametrize(
    ("header", "table", "problem"),
    [
        ("int MPI_Barrier(MPI_Comm comm, int more);", "", "with other parameters than the standard"),
        ("MPI_Fint MPI_Comm_c2f(MPI_Comm comm);", "", "MPI_Comm_c2f returns no error code"),
        ("", 'own = ["MPI_Barrier"]', "unknown keys: own"),
        ("", 'native = ["MPI_Barrier"]\nendpoint = ["MPI_Barrier"]', "named twice"),
        ("", 'endpoint = ["MPI_Ibcast"]\ncollectives = ["MPI_Bcast"]', "named twice"),
        ("", 'attached = ["MPI_Psend_init"]', "not Raddle's own on endpoints: MPI_Psend_init"),
        ("", 'in_seats = ["MPI_Barrier"]', "not among the collectives: MPI_Barrier"),
        ("", 'between_groups = ["MPI_Barrier"]', "not among the collectives: MPI_Barrier"),
        ("", 'one_group = ["MPI_Cart_sub"]', "not Raddle's own on endpoints: MPI_Cart_sub"),
    ],
)
def test_what_cannot_be_made_is_said(header: str, table: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        wrapped(header, table)


def test_every_code_counts() -> None:
    text = (
        "int MPI_Barrier(MPI_Comm comm); double MPI_Wtime(void); int PMPI_Barrier(MPI_Comm comm); int MPIX_Query(void);"
    )
    said = [line for line in nodiscard(declarations(text).values()).splitlines() if "nodiscard" in line]
    assert said == [
        "[[nodiscard]] decltype(MPI_Barrier) MPI_Barrier;",
        "[[nodiscard]] decltype(PMPI_Barrier) PMPI_Barrier;",
    ]
