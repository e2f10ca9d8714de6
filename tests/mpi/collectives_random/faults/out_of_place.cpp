// SPDX-License-Identifier: BSD-3-Clause
// An MPI that takes a rank's own block from the beginning of the buffer where MPI_IN_PLACE was said.
#include <mpi.h>

#include <vector>

extern "C" int MPI_Allgather(const void* from, int from_count, MPI_Datatype from_type, void* to, int count,
                             MPI_Datatype type, MPI_Comm comm) {
  if (from != MPI_IN_PLACE) return PMPI_Allgather(from, from_count, from_type, to, count, type, comm);
  int room = 0;
  int bytes = 0;
  PMPI_Pack_size(count, type, comm, &room);
  std::vector<char> own(static_cast<std::size_t>(room) + 1);
  PMPI_Pack(to, count, type, own.data(), room, &bytes, comm);
  return PMPI_Allgather(own.data(), bytes, MPI_PACKED, to, count, type, comm);
}
