// SPDX-License-Identifier: BSD-3-Clause
// An MPI in which a message to oneself overtakes a short one with the same tag that nobody has received yet. Empty ones
// keep their order: they look like one another.
#include <mpi.h>

#include <cstddef>
#include <deque>
#include <vector>

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  static std::deque<std::vector<std::byte>> kept;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  int found = 0;
  MPI_Message earlier = MPI_MESSAGE_NULL;
  MPI_Status status;
  int bytes = 0;
  int size = 0;
  PMPI_Type_size(type, &size);
  if (dest == rank && count > 0 && size > 0) PMPI_Iprobe(rank, tag, comm, &found, &status);
  if (found != 0) PMPI_Get_count(&status, MPI_BYTE, &bytes);
  if (bytes == 0 || bytes > 500) return PMPI_Isend(buffer, count, type, dest, tag, comm, request);
  PMPI_Improbe(rank, tag, comm, &found, &earlier, &status);
  const int result = PMPI_Isend(buffer, count, type, dest, tag, comm, request);
  std::vector<std::byte>& copy = kept.emplace_back(static_cast<std::size_t>(bytes));
  PMPI_Mrecv(copy.data(), bytes, MPI_BYTE, &earlier, &status);
  MPI_Request again = MPI_REQUEST_NULL;
  PMPI_Isend(copy.data(), bytes, MPI_BYTE, dest, tag, comm, &again);
  PMPI_Request_free(&again);
  return result;
}
