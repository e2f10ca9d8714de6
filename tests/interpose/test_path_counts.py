# SPDX-License-Identifier: BSD-3-Clause
"""The short paths of endpoints take no more instructions than they did: counts, which no noise of a machine reaches."""

from __future__ import annotations

import os

import path_counts
import pytest

from raddle.mpi.find import Mpi
from tests.interpose.headers import ROOT, mpis

# Of one operation, a few above what tools/path_counts.py counts. Whoever makes a path shorter lowers its limit; whoever
# makes one longer has to say why.
LIMITS = {
    "isend": 96,
    "irecv": 90,
    "irecv_any": 163,
    "waitall_sends": 14,
    "waitall_receives": 80,
    "waitall_any": 168,
    "waitall_statuses": 198,
    "send": 88,
    "recv": 439,
    "sendrecv_self": 555,
    "start_receive": 127,
    "start_send": 135,
    "wait_send": 75,
    "wait_receive": 153,
    "test_receive": 174,
}


def library() -> tuple[Mpi, str]:
    """MPICH, and what `make test` has built for it."""
    for mpi in mpis():
        if mpi.name == "mpich":
            place = ROOT / "build" / f"release-{mpi.label}" / "lib"
            return mpi, str(place) if (place / "libraddle.so").exists() else ""
    pytest.skip("MPICH is not installed")


@pytest.mark.timeout(300)
@pytest.mark.skipif(bool(path_counts.missing()), reason=path_counts.missing())
@pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do")
def test_paths_are_as_short_as_they_were() -> None:
    mpi, place = library()
    if not place:
        pytest.skip("nothing is built for MPICH yet")
    counted = path_counts.by_path(path_counts.count(mpi, ROOT / place))
    assert counted.keys() >= LIMITS.keys()
    longer = {path: counted[path] for path, limit in LIMITS.items() if counted[path] > limit}
    assert not longer, f"above their limits: {longer}"


def test_functions_are_of_layers() -> None:
    assert path_counts.layer_of("PMPI_Wait_near") == "wrapper"
    assert (
        path_counts.layer_of("raddle::interpose::on_endpoint::Wait(raddle::endpoints::Request&, int*)") == "arguments"
    )
    assert path_counts.layer_of("raddle::direct::Port::step(raddle::direct::Reading)") == "engine"
    assert path_counts.layer_of("__memcpy_avx_unaligned_erms") == "other"
