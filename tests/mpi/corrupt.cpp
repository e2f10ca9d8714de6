// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose wire flips one bit of every message with content: validation must notice in every benchmark.
#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

namespace {

/// A damaged copy that lives as long as the program: nonblocking sends still need it after the call.
const void* damaged(const void* buffer, int count) {
  static std::deque<std::vector<std::byte>> copies;
  if (count == 0) return buffer;
  auto& copy = copies.emplace_back(static_cast<std::size_t>(count));
  std::memcpy(copy.data(), buffer, copy.size());
  copy[copy.size() / 2] ^= std::byte{4};
  return copy.data();
}

}  // namespace

extern "C" int MPI_Send(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return PMPI_Send(damaged(buffer, count), count, type, peer, tag, comm);
}

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  return PMPI_Isend(damaged(buffer, count), count, type, peer, tag, comm, request);
}
