# SPDX-License-Identifier: BSD-3-Clause
"""What the profile says of a call besides its time, as C++ for its wrapper; names in braces are the standard's.

A call is about messages, about a collective operation, completes requests, makes or frees what handles stand for, or
nothing of this. `Call` (src/profile/call.hpp) has what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.standard import Procedure, forms


@dataclass(frozen=True)
class About:
    """Statements of a wrapper."""

    before: str = ""  # the call is recorded from here on
    after: str = ""  # it has been, and has succeeded
    first: str = ""  # before anything is recorded
    last: str = ""  # at the very end, whatever came out


_STATUS = "MPI_Status own_status; if ({status} == MPI_STATUS_IGNORE) {status} = &own_status;"
_ONE = "auto pending = call.pending(1, {request});"
_MANY = "auto pending = call.pending({count}, {array_of_requests});"
_ONE_STATUS = "MPI_Status own_status; if (pending.anybody && {status} == MPI_STATUS_IGNORE) {status} = &own_status;"
_STATUSES = (
    "MPI_Status own_statuses[profile::most_pending];"
    " if (pending.anybody && {array_of_statuses} == MPI_STATUSES_IGNORE && {count} <= profile::most_pending)"
    " {array_of_statuses} = own_statuses;"
)
_STATUS_OF = "{array_of_statuses} == MPI_STATUSES_IGNORE ? nullptr : &{array_of_statuses}[i]"
_SIZE = "const auto size = call.bytes({count}, {datatype}); call.data(size);"


def _send(start: str = "", synchronous: str = "false") -> str:
    how = f"call.starts(*{{request}}, false, {start}, {{dest}}, {{tag}}, size, {synchronous});" if start else ""
    return f"{_SIZE} {how or 'call.sent({dest}, {tag}, size);'}"


def _receive(persistent: str) -> About:
    return About(after=f"{_SIZE} call.starts(*{{request}}, true, {persistent}, {{source}}, {{tag}}, size);")


def _messages() -> Iterator[tuple[str, About]]:
    for kind in ("", "B", "R", "S"):
        synchronous = "true" if kind == "S" else "false"
        yield f"MPI_{kind}send".replace("MPI_send", "MPI_Send"), About(after=_send())
        yield f"MPI_I{kind.lower()}send", About(after=_send("false", synchronous))
        yield f"MPI_{kind}send_init".replace("MPI_send", "MPI_Send"), About(after=_send("true", synchronous))
    came = "const auto size = call.bytes_of({status}, call.bytes({count}, {datatype})); call.data(size);"
    yield "MPI_Recv", About(_STATUS, f"{came} call.received({{source}}, {{tag}}, size, {{status}});")
    yield "MPI_Irecv", _receive("false")
    yield "MPI_Recv_init", _receive("true")
    exchanged = (
        "const auto size = call.bytes({sendcount}, {sendtype}); call.data(size); call.sent({dest}, {sendtag}, size);"
        " call.received({source}, {recvtag}, call.bytes({recvcount}, {recvtype}), {status});"
    )
    yield "MPI_Sendrecv", About(_STATUS, exchanged)
    replaced = (
        f"{_SIZE} call.sent({{dest}}, {{sendtag}}, size); call.received({{source}}, {{recvtag}}, size, {{status}});"
    )
    yield "MPI_Sendrecv_replace", About(_STATUS, replaced)
    # From here on the message is taken.
    taken = "call.received({source}, {tag}, 0, {status}"
    yield "MPI_Mprobe", About(_STATUS, f"{taken});")
    yield "MPI_Improbe", About(_STATUS, f"if (*{{flag}} != 0) {taken}, false);")
    yield "MPI_Probe", About(_STATUS, "call.probed({status});")
    for name in ("MPI_Mrecv", "MPI_Imrecv"):
        yield name, About(after="call.data(call.bytes({count}, {datatype}));")
    for name in ("MPI_Isendrecv", "MPI_Isendrecv_replace"):
        count = "{count}, {datatype}" if "replace" in name else "{sendcount}, {sendtype}"
        yield name, About(after=f"call.data(call.bytes({count}));")
    for name in ("MPI_Psend_init", "MPI_Precv_init"):
        yield name, About(after="call.data({partitions} * call.bytes({count}, {datatype}));")


def _requests() -> Iterator[tuple[str, About]]:
    one, some = f"{_ONE} {_ONE_STATUS}", f"{_MANY} {_ONE_STATUS}"
    # Its count has another name.
    listed = f"{_MANY} {_STATUSES}".replace("{count}", "{incount}")
    each = f"for (int i = 0; i < {{count}}; ++i) call.completed(pending, i, {_STATUS_OF}, "
    those = f"for (int i = 0; i < *{{outcount}}; ++i) call.completed(pending, {{array_of_indices}}[i], {_STATUS_OF}, "
    yield "MPI_Wait", About(one, "call.completed(pending, 0, {status}, true);")
    yield "MPI_Waitall", About(f"{_MANY} {_STATUSES}", f"{each}true);")
    yield "MPI_Waitany", About(some, "call.completed(pending, *{index}, {status}, true);")
    yield "MPI_Waitsome", About(listed, f"{those}true);")
    yield "MPI_Test", About(one, "if (*{flag} != 0) call.completed(pending, 0, {status}, false);")
    yield "MPI_Testall", About(f"{_MANY} {_STATUSES}", f"if (*{{flag}} != 0) {each}false);")
    yield "MPI_Testany", About(some, "if (*{flag} != 0) call.completed(pending, *{index}, {status}, false);")
    yield "MPI_Testsome", About(listed, f"{those}false);")
    yield "MPI_Request_free", About(_ONE, "call.dropped(pending);")
    yield "MPI_Start", About(after="call.started(profile::bits(*{request}));")
    started = "for (int i = 0; i < {count}; ++i) call.started(profile::bits({array_of_requests}[i]));"
    yield "MPI_Startall", About(after=started)


# By the blocking form: who the root is, and the bytes that a process gives.
_IN_PLACE = "{sendbuf} == MPI_IN_PLACE ? "
_GIVEN = "call.bytes({sendcount}, {sendtype})"
_COUNTED = "call.bytes({count}, {datatype})"
_SCATTERED = "{root} != call.comm_rank() ? call.bytes({recvcount}, {recvtype}) : "
_COLLECTIVES = {
    "MPI_Allgather": ("-1", f"{_IN_PLACE}call.bytes({{recvcount}}, {{recvtype}}) : {_GIVEN}"),
    "MPI_Allgatherv": ("-1", f"{_IN_PLACE}call.bytes({{recvcounts}}[call.comm_rank()], {{recvtype}}) : {_GIVEN}"),
    "MPI_Allreduce": ("-1", _COUNTED),
    "MPI_Alltoall": ("-1", f"call.comm_size() * ({_IN_PLACE}call.bytes({{recvcount}}, {{recvtype}}) : {_GIVEN})"),
    "MPI_Alltoallv": (
        "-1",
        f"{_IN_PLACE}call.bytes({{recvcounts}}, {{recvtype}}) : call.bytes({{sendcounts}}, {{sendtype}})",
    ),
    "MPI_Alltoallw": (
        "-1",
        f"{_IN_PLACE}call.bytes({{recvcounts}}, {{recvtypes}}) : call.bytes({{sendcounts}}, {{sendtypes}})",
    ),
    "MPI_Barrier": ("-1", ""),
    "MPI_Bcast": ("{root}", _COUNTED),
    "MPI_Exscan": ("-1", _COUNTED),
    "MPI_Gather": ("{root}", f"{_IN_PLACE}call.bytes({{recvcount}}, {{recvtype}}) : {_GIVEN}"),
    "MPI_Gatherv": ("{root}", f"{_IN_PLACE}call.bytes({{recvcounts}}[call.comm_rank()], {{recvtype}}) : {_GIVEN}"),
    "MPI_Neighbor_allgather": ("-2", _GIVEN),
    "MPI_Neighbor_allgatherv": ("-2", _GIVEN),
    "MPI_Neighbor_alltoall": ("-2", _GIVEN),
    "MPI_Neighbor_alltoallv": ("-2", ""),
    "MPI_Neighbor_alltoallw": ("-2", ""),
    "MPI_Reduce": ("{root}", _COUNTED),
    "MPI_Reduce_scatter": ("-1", "call.bytes({recvcounts}, {datatype})"),
    "MPI_Reduce_scatter_block": ("-1", "call.comm_size() * call.bytes({recvcount}, {datatype})"),
    "MPI_Scan": ("-1", _COUNTED),
    "MPI_Scatter": ("{root}", f"{_SCATTERED}call.comm_size() * {_GIVEN}"),
    "MPI_Scatterv": ("{root}", f"{_SCATTERED}call.bytes({{sendcounts}}, {{sendtype}})"),
}


def _collectives() -> Iterator[tuple[str, About]]:
    for blocking, (root, size) in _COLLECTIVES.items():
        data = f"if (call.one_group()) call.data({size});" if size else ""
        for at, name in enumerate(forms(blocking)):
            how = f"call.collective({root});" if at == 0 and root != "-2" else "call.collective_later();"
            yield name, About(after=f"{data} {how}")
    for name in ("MPI_Win_create", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_create_dynamic"):
        yield name, About(after="call.collective(-1);")
    yield "MPI_File_open", About(after="call.collective(-1);")


def _handles() -> Iterator[tuple[str, About]]:
    for name, (made, colour, how) in {
        "MPI_Comm_dup": ("newcomm", "0", "whole"),
        "MPI_Comm_dup_with_info": ("newcomm", "0", "whole"),
        "MPI_Comm_idup": ("newcomm", "0", "later"),
        "MPI_Comm_idup_with_info": ("newcomm", "0", "later"),
        "MPI_Comm_split": ("newcomm", "{color}", "whole"),
        "MPI_Comm_split_type": ("newcomm", "{split_type}", "whole"),
        "MPI_Comm_create": ("newcomm", "0", "whole"),
        "MPI_Comm_create_group": ("newcomm", "{tag}", "whole"),
        "MPI_Cart_create": ("comm_cart", "0", "whole"),
        "MPI_Cart_sub": ("newcomm", "0", "whole"),
        "MPI_Graph_create": ("comm_graph", "0", "whole"),
        "MPI_Dist_graph_create": ("comm_dist_graph", "0", "whole"),
        "MPI_Dist_graph_create_adjacent": ("comm_dist_graph", "0", "whole"),
        "MPI_Intercomm_create": ("newintercomm", "0", "unknown"),
        "MPI_Intercomm_merge": ("newintracomm", "0", "unknown"),
    }.items():
        later = "call.collective_later();" if how == "later" else "call.collective(-1);"
        together = "" if name == "MPI_Comm_create_group" or how == "unknown" else later
        yield name, About(after=f"{together} call.made(*{{{made}}}, {colour}, profile::Made::{how});")
    for name in ("MPI_Comm_free", "MPI_Comm_disconnect"):
        first = "const auto freed = profile::bits(*{comm}); if (call) profile::forget_communicator(freed);"
        yield name, About(first, last="if (call) profile::forget_communicator(freed);")
    yield "MPI_Type_free", About("profile::forget_types();", last="profile::forget_types();")
    yield "MPI_Comm_set_name", About(after="call.renamed(profile::bits({comm}), {comm_name});")


def _the_process() -> Iterator[tuple[str, About]]:
    known = "profile::know_process();"
    yield "MPI_Init", About(first="profile::begin_process(MPI_THREAD_SINGLE);", after=known)
    yield "MPI_Init_thread", About(first="profile::begin_process({required});", after=known)
    session = "profile::begin_process(MPI_THREAD_MULTIPLE);"
    yield "MPI_Session_init", About(first=session, after="profile::know_session();")
    yield "MPI_Finalize", About("if (call) profile::before_finalize();", last="if (call) profile::finalized();")
    yield "MPI_Abort", About("profile::end_process(profile::State::aborted);")


def _one_sided() -> Iterator[tuple[str, About]]:
    for name in ("Put", "Get", "Accumulate", "Get_accumulate"):
        for form in (name, f"R{name.lower()}"):
            yield f"MPI_{form}", About(after="call.data(call.bytes({origin_count}, {origin_datatype}));")
    for name in ("MPI_Fetch_and_op", "MPI_Compare_and_swap"):
        yield name, About(after="call.data(call.bytes(1, {datatype}));")


_KNOWN: Mapping[str, About] = {
    name: about
    for source in (_messages, _requests, _collectives, _handles, _the_process, _one_sided)
    for name, about in source()
}
# They take less time than looking at a clock, or look at one.
_LEFT_OUT = re.compile(
    r"MPI_(T_\w+|Pcontrol|Wtime|Wtick|Aint_add|Aint_diff|\w+_(c2f|f2c|toint|fromint|c2f08|f082c|f082f|f2f08)|[A-Z0-9_]+)"
)


def is_profiled(name: str) -> bool:
    """Whether calls of this function are recorded."""
    return _LEFT_OUT.fullmatch(name) is None


def about(name: str, procedure: Procedure | None) -> About:
    """What its wrapper says. Of files all that move data are alike."""
    small = name.removesuffix("_c")
    if small in _KNOWN:
        return _KNOWN[small]
    given = {one.name for one in procedure.parameters} if procedure else set()
    if small.startswith("MPI_File_") and {"count", "datatype"} <= given:
        return About(after="call.data(call.bytes({count}, {datatype}));")
    return About()
