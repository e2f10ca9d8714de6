// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_control.hpp"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "mpi/check.hpp"

namespace raddle::bench {

MpiControl::MpiControl() {
  check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

MpiControl::~MpiControl() { MPI_Comm_free(&comm_); }

void MpiControl::barrier() {
  for (int distance = 1; distance < size_; distance *= 2) {
    const int to = (rank_ + distance) % size_;
    const int from = (rank_ - distance + size_) % size_;
    check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, 0, nullptr, 0, MPI_BYTE, from, 0, comm_, MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
  }
}

void MpiControl::abort(int status) {
  // Launchers (seen: Hydra) drop what they have not passed on when a job is aborted: the row that says why.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

void MpiControl::broadcast(std::span<std::byte> bytes) {
  check(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, comm_), "MPI_Bcast");
}

std::vector<std::byte> MpiControl::all_gather(std::span<const std::byte> mine) {
  std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(size_));
  const int count = static_cast<int>(mine.size());
  check(MPI_Allgather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, comm_), "MPI_Allgather");
  return all;
}

}  // namespace raddle::bench
