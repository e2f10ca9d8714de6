# SPDX-License-Identifier: BSD-3-Clause
"""What libraries print at their start, word for word, and what is read from it."""

from __future__ import annotations

import pytest

from raddle.doctor import told
from raddle.mpi.family import family

MPICH = [
    "==== UCX netmod Capability ====",
    "sizeof(MPIDI_per_vci_t): 128",
    "num_vcis: 4",
    "thread CS         : per-vci",
]
MPICH_OFI = ["libfabric provider: tcp - 192.0.2.0/24", "num_vcis: 1"]
INTEL = [
    "[0] MPI startup(): libfabric version: 2.4.0-impi",
    "[0] MPI startup(): libfabric provider: tcp",
    "[0] MPI startup(): THREAD_SPLIT mode is switched on, 3 endpoints in use",
    "[0] MPI startup(): I_MPI_THREAD_MAX=3",
]
INTEL_ALONE = [
    "[0] MPI startup(): failed to load libfabric.so.1: libfabric.so.1: cannot open shared object file: No such file",
]
OPENMPI = [
    "[vm:24724] select: initializing pml component ucx",
    "[vm:24724] select: init returned failure for component ucx",
    "[vm:24724] select: component ob1 selected",
    "[vm:31251] mca: bml: Using self btl for send to [[58129,1],0] on node vm",
    "[vm:31251] mca: bml: Using sm btl for send to [[58129,1],1] on node vm",
    "[vm:31252] mca: bml: Using sm btl for send to [[58129,1],0] on node vm",
]


@pytest.mark.parametrize(
    ("name", "chatter", "contexts", "transport"),
    [
        ("mpich", MPICH, 4, "UCX netmod"),
        ("mpich", MPICH_OFI, 1, "libfabric provider: tcp"),
        ("mpich", [], None, ""),
        ("intel", INTEL, 3, "libfabric provider: tcp"),
        ("intel", [], 1, ""),
        ("openmpi", OPENMPI, None, "ob1, self btl, sm btl"),
        ("other", MPICH, None, ""),
    ],
)
def test_what_is_told(name: str, chatter: list[str], contexts: int | None, transport: str) -> None:
    data = family(name).doctor
    assert told.contexts(data, chatter) == contexts
    assert told.transport(data, chatter) == transport


def test_a_missing_network_library_is_named() -> None:
    assert told.no_network(family("intel").doctor, INTEL_ALONE) == "libfabric.so.1"
    assert told.no_network(family("intel").doctor, INTEL) == ""


def test_refusing_root() -> None:
    said = ["prterun has detected an attempt to run as root.", "Running as root is *strongly* discouraged"]
    assert told.refuses_root(family("openmpi").doctor, said)
    assert not told.refuses_root(family("openmpi").doctor, OPENMPI)
    assert not told.refuses_root(family("mpich").doctor, said)
