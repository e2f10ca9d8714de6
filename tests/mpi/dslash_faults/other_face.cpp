// SPDX-License-Identifier: BSD-3-Clause
// An exchange that takes one end of a dimension for the other. Where that is cut in two, both faces come from the same
// neighbour and have the same length, so that nothing but the values can tell.
#include <dlfcn.h>
#include <mpi.h>

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  static const auto next = reinterpret_cast<decltype(&MPI_Isend)>(dlsym(RTLD_NEXT, "MPI_Isend"));
  return next(buffer, count, type, peer, tag ^ 1, comm, request);
}
