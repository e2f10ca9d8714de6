// SPDX-License-Identifier: BSD-3-Clause
// An exchange that changes one bit of each message that has any: the 18th of the first number, 6 parts in 10^11 of it.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdint>
#include <cstring>

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  static const auto next = reinterpret_cast<decltype(&MPI_Isend)>(dlsym(RTLD_NEXT, "MPI_Isend"));
  if (count == 0) return next(buffer, count, type, peer, tag, comm, request);
  std::uint64_t number = 0;
  std::memcpy(&number, buffer, sizeof number);
  number ^= std::uint64_t{1} << 18U;
  std::memcpy(const_cast<void*>(buffer), &number, sizeof number);
  return next(buffer, count, type, peer, tag, comm, request);
}
