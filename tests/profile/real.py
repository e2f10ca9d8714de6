# SPDX-License-Identifier: BSD-3-Clause
"""Marks of tests that run programs on the real MPIs."""

from __future__ import annotations

import os

import pytest

from tests.profile.launch import SECONDS, built

MPIS = built()
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
on_real_mpis = [
    pytest.mark.timeout(2 * SECONDS),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]
