// SPDX-License-Identifier: BSD-3-Clause
// An MPI that writes into the gap of a vector that it receives.
#include <mpi.h>

#include <array>
#include <cstddef>

namespace {

void write_into_gap(void* buffer, MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_VECTOR) return;
  std::array<int, 3> made_of{};  // count, length, stride
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  MPI_Aint none = 0;
  PMPI_Type_get_contents(type, 3, 0, 1, made_of.data(), &none, &inner);
  if (made_of[0] < 2 || made_of[2] == made_of[1]) return;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(inner, &lower, &extent);
  static_cast<std::byte*>(buffer)[made_of[1] * extent] ^= std::byte{1};
}

}  // namespace

extern "C" int MPI_Alltoall(const void* from, int from_count, MPI_Datatype from_type, void* to, int count,
                            MPI_Datatype type, MPI_Comm comm) {
  const int result = PMPI_Alltoall(from, from_count, from_type, to, count, type, comm);
  if (count > 0) write_into_gap(to, type);
  return result;
}

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int result = PMPI_Bcast(buffer, count, type, root, comm);
  if (count > 0) write_into_gap(buffer, type);
  return result;
}
