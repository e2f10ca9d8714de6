// SPDX-License-Identifier: BSD-3-Clause
// Which step each rank has reached, in memory that the processes of this machine share: a barrier must let nobody out
// before all are in.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

namespace raddle::collectives {

class Entered {
 public:
  /// Collective over MPI_COMM_WORLD.
  Entered();
  ~Entered();
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

  /// @param rank of the communicator that all others derive from; @param step more than before
  void enter(int rank, std::uint64_t step) { steps_[rank].store(step); }
  [[nodiscard]] bool is_in(int rank, std::uint64_t step) const { return steps_[rank].load() >= step; }

 private:
  std::atomic<std::uint64_t>* steps_;
};

}  // namespace raddle::collectives
