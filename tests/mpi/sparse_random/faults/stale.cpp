// SPDX-License-Identifier: BSD-3-Clause
// A library whose plans send what was there when they were made.
#include <cstring>

#include "doctored.hpp"

extern "C" int Raddle_Sparse_exchange_init(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                           MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                                           Raddle_Sparse_messages* received, MPI_Request* request) {
  using raddle::sparse_random::real;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_true_extent(sendtype, &lower, &extent);
  PMPI_Type_get_extent(sendtype, &extent, &extent);
  const std::size_t bytes = count == 0 ? 0 : static_cast<std::size_t>(offsets[count] * extent);
  char* const copy = new char[bytes + 64];  // never given back
  std::memcpy(copy, static_cast<const char*>(data) + lower, bytes);
  return real(&Raddle_Sparse_exchange_init, "Raddle_Sparse_exchange_init")(
      copy - lower, count, dests, offsets, sendtype, recvtype, info, comm, received, request);
}
