# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers of MPI functions from the MPI standard's own list and the mpi.h that is installed."""
