# SPDX-License-Identifier: BSD-3-Clause
"""What `raddle check` wants to know of a call, as C++ for its wrapper; names in braces are the standard's.

`Call` (src/check/call.hpp) has what is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.profiled import About
from generator.standard import Procedure, forms

_ROOTED = ("MPI_Bcast", "MPI_Gather", "MPI_Gatherv", "MPI_Reduce", "MPI_Scatter", "MPI_Scatterv")
_COLLECTIVES = (
    "MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw",
    "MPI_Barrier", "MPI_Exscan", "MPI_Neighbor_allgather", "MPI_Neighbor_allgatherv", "MPI_Neighbor_alltoall",
    "MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block", "MPI_Scan",
)  # fmt: skip
_MADE = {  # the communicator that comes out
    "MPI_Comm_dup": "newcomm",
    "MPI_Comm_dup_with_info": "newcomm",
    "MPI_Comm_split": "newcomm",
    "MPI_Comm_split_type": "newcomm",
    "MPI_Comm_create": "newcomm",
    "MPI_Cart_create": "comm_cart",
    "MPI_Cart_sub": "newcomm",
    "MPI_Graph_create": "comm_graph",
    "MPI_Dist_graph_create": "comm_dist_graph",
    "MPI_Dist_graph_create_adjacent": "comm_dist_graph",
    "MPI_Intercomm_create": "newintercomm",
    "MPI_Intercomm_merge": "newintracomm",
}
# Several threads may call it at once.
_MADE_BY_TAG = {"MPI_Comm_create_group": "newcomm"}
# It is not there before a request has completed.
_MADE_LATER = ("MPI_Comm_idup", "MPI_Comm_idup_with_info")
_OF_A_COMMUNICATOR = (
    "MPI_Win_create", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_create_dynamic", "MPI_File_open",
)  # fmt: skip
_STARTS = "call.starts(*{request});"
_STATUS = "MPI_Status own_status; if ({status} == MPI_STATUS_IGNORE) {status} = &own_status;"


def _collectives() -> Iterator[tuple[str, About]]:
    matched = "call.matched();"
    for blocking in (*_ROOTED, *_COLLECTIVES):
        root = "{root}" if blocking in _ROOTED else "-1"
        name, nonblocking, persistent = forms(blocking)
        before = f"call.collective({root});"
        yield name, About(before, matched)
        yield nonblocking, About(before, f"{matched} {_STARTS}")
        yield persistent, About(before, matched)
    for name in _OF_A_COMMUNICATOR:
        yield name, About("call.collective(-1);", matched)
    for name, made in _MADE.items():
        yield name, About("call.collective(-1);", f"{matched} call.made(*{{{made}}});")
    for name, made in _MADE_BY_TAG.items():
        yield name, About(after=f"call.made(*{{{made}}});")
    for name in _MADE_LATER:
        yield name, About("call.collective(-1);", f"{matched} {_STARTS}")


def _messages() -> Iterator[tuple[str, About]]:
    sends = "call.buffer({buf}, {count}, {datatype}, {dest}, false);"
    receives = "call.receives({source}, {tag}); call.buffer({buf}, {count}, {datatype}, {source}, true);"
    for kind in ("", "b", "r", "s"):
        yield f"MPI_{kind.upper()}send" if kind else "MPI_Send", About(sends)
        yield f"MPI_I{kind}send", About(sends, _STARTS)
    yield "MPI_Recv", About(receives)
    yield "MPI_Irecv", About(receives, _STARTS)
    comes = "call.receives({source}, {recvtag});"
    exchanged = (
        f"{comes} call.buffer({{sendbuf}}, {{sendcount}}, {{sendtype}}, {{dest}}, false);"
        " call.buffer({recvbuf}, {recvcount}, {recvtype}, {source}, true);"
    )
    replaced = f"{comes} call.buffer({{buf}}, {{count}}, {{datatype}}, {{source}}, true);"
    for form, after in (("Send", ""), ("Isend", _STARTS)):
        yield f"MPI_{form}recv", About(exchanged, after)
        yield f"MPI_{form}recv_replace", About(replaced, after)
    matched = "call.buffer({buf}, {count}, {datatype}, *{message} == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : 0, true);"
    yield "MPI_Mrecv", About(matched)
    yield "MPI_Imrecv", About(matched, _STARTS)
    yield "MPI_Probe", About(_STATUS, "call.probed({status});")
    yield "MPI_Iprobe", About(_STATUS, "call.probed(*{flag} != 0 ? {status} : nullptr);")


def _requests() -> Iterator[tuple[str, About]]:
    one, several = "1, {request}", "{count}, {array_of_requests}"
    for name, those, waits in (
        ("Wait", one, True),
        ("Waitall", several, True),
        ("Waitany", several, True),
        ("Waitsome", several.replace("count", "incount"), True),
        ("Test", one, False),
        ("Testall", several, True),
        ("Testany", several, True),
        ("Testsome", several.replace("count", "incount"), True),
    ):
        at_once = "true" if waits else "false"
        requests = those.partition(", ")[2]
        before = f"const auto before = call.completes({those}, {at_once});"
        yield f"MPI_{name}", About(before, last=f"call.completed(before, {requests});")
    freed = "const auto before = call.completes(1, {request}, false);"
    yield "MPI_Request_free", About(freed, last="call.completed(before, {request});")
    yield "MPI_Request_get_status", About(after="if (*{flag} != 0) call.ended(1, {request});".replace("1, ", "1, &"))
    for name in ("all", "any", "some"):
        count = "incount" if name == "some" else "count"
        text = f"call.ended({{{count}}}, {{array_of_requests}});"
        yield f"MPI_Request_get_status_{name}", About(after=text)


def _handles() -> Iterator[tuple[str, About]]:
    for name in ("MPI_Comm_free", "MPI_Comm_disconnect"):
        yield name, About("check::forget_communicator(check::bits(*{comm}));")
    yield "MPI_Free_mem", About("call.frees({base});")
    yield "MPI_Type_free", About("check::forget_datatype(check::bits(*{datatype}));")


def _the_process() -> Iterator[tuple[str, About]]:
    for name in ("MPI_Init", "MPI_Init_thread"):
        yield name, About(last="if (code == MPI_SUCCESS) check::begun();")
    yield "MPI_Session_init", About(last="if (code == MPI_SUCCESS) check::session();")
    yield "MPI_Finalize", About(last="if (code == MPI_SUCCESS) check::finalized();")


_KNOWN: Mapping[str, About] = {
    name: about for source in (_messages, _requests, _collectives, _handles, _the_process) for name, about in source()
}
# These give a datatype that is the MPI's.
_PREDEFINED = ("MPI_Type_create_f90_", "MPI_Type_match_size", "MPI_Type_get_")


def about(name: str, procedure: Procedure | None) -> About:
    """What its wrapper says."""
    small = name.removesuffix("_c")
    if small in _KNOWN:
        return _KNOWN[small]
    out = {one.name: one.kind for one in procedure.parameters if one.direction == "out"} if procedure else {}
    if out.get("newtype") == "DATATYPE" and not small.startswith(_PREDEFINED):
        return About(after="call.made_datatype(*{newtype});")
    # A nonblocking operation. Persistent ones begin later; what a user's function does is its own matter.
    if out.get("request") == "REQUEST" and not small.endswith("_init") and small != "MPI_Grequest_start":
        return About(after=_STARTS)
    return About()
