# SPDX-License-Identifier: BSD-3-Clause
"""How the names of variables begin that an MPI library, or what it is built on, reads from the environment."""

from __future__ import annotations

MPI_PREFIXES = (
    *("MPICH_", "MPIR_", "HYDRA_", "I_MPI_", "OMPI_", "PRTE_", "PMIX_", "PMI_", "UCX_", "FI_", "PSM2_", "PSM3_"),
    *("MV2_", "HCOLL_", "CRAY_"),
)
