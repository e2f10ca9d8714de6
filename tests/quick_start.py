# SPDX-License-Identifier: BSD-3-Clause
"""What lets an MPI start sooner, for tests. Measurements do without it."""

# Open MPI sleeps a second in each launch while it closes a transport for fabrics, which no test here has
# (docs/evidence/mpi-notes.md), and another one takes half of the CPU time of a launch. One for windows may end the job.
QUICK_START = {"OMPI_MCA_btl": "^ofi", "OMPI_MCA_mtl": "^ofi", "OMPI_MCA_osc": "^ucx"}
