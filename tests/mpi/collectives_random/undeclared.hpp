// SPDX-License-Identifier: BSD-3-Clause
// Functions of MPI-4 that an mpi.h may not declare. What it declares fits a call better than the dots do; what it does
// not, is the function here, whose result is Undeclared.
#pragma once

struct Undeclared {};

// Found as if it stood beside the declarations of mpi.h, wherever the namespace is used.
namespace undeclared {

#define RADDLE_UNDECLARED(function) Undeclared function(...);  // NOLINT(cert-dcl50-cpp): a better match always wins
#define RADDLE_UNDECLARED_FORMS(Name, name) \
  RADDLE_UNDECLARED(MPI_##Name##_c)         \
  RADDLE_UNDECLARED(MPI_I##name##_c)        \
  RADDLE_UNDECLARED(MPI_##Name##_init)      \
  RADDLE_UNDECLARED(MPI_##Name##_init_c)

RADDLE_UNDECLARED(MPI_Op_create_c)
RADDLE_UNDECLARED(MPI_Barrier_init)
RADDLE_UNDECLARED(MPI_Reduce_local_c)
RADDLE_UNDECLARED_FORMS(Bcast, bcast)
RADDLE_UNDECLARED_FORMS(Gather, gather)
RADDLE_UNDECLARED_FORMS(Gatherv, gatherv)
RADDLE_UNDECLARED_FORMS(Scatter, scatter)
RADDLE_UNDECLARED_FORMS(Scatterv, scatterv)
RADDLE_UNDECLARED_FORMS(Allgather, allgather)
RADDLE_UNDECLARED_FORMS(Allgatherv, allgatherv)
RADDLE_UNDECLARED_FORMS(Alltoall, alltoall)
RADDLE_UNDECLARED_FORMS(Alltoallv, alltoallv)
RADDLE_UNDECLARED_FORMS(Alltoallw, alltoallw)
RADDLE_UNDECLARED_FORMS(Reduce, reduce)
RADDLE_UNDECLARED_FORMS(Allreduce, allreduce)
RADDLE_UNDECLARED_FORMS(Reduce_scatter, reduce_scatter)
RADDLE_UNDECLARED_FORMS(Reduce_scatter_block, reduce_scatter_block)
RADDLE_UNDECLARED_FORMS(Scan, scan)
RADDLE_UNDECLARED_FORMS(Exscan, exscan)
RADDLE_UNDECLARED_FORMS(Neighbor_allgather, neighbor_allgather)
RADDLE_UNDECLARED_FORMS(Neighbor_allgatherv, neighbor_allgatherv)
RADDLE_UNDECLARED_FORMS(Neighbor_alltoall, neighbor_alltoall)
RADDLE_UNDECLARED_FORMS(Neighbor_alltoallv, neighbor_alltoallv)
RADDLE_UNDECLARED_FORMS(Neighbor_alltoallw, neighbor_alltoallw)

#undef RADDLE_UNDECLARED_FORMS
#undef RADDLE_UNDECLARED

}  // namespace undeclared
