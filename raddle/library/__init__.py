# SPDX-License-Identifier: BSD-3-Clause
"""libraddle for programs in Python, on mpi4py. Uses nothing of the command but its error."""
