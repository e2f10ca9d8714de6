// SPDX-License-Identifier: BSD-3-Clause
// The endpoints of this process, for tests that are programs.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <thread>
#include <vector>

#include "mpi/error_words.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {

inline int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// The endpoints of this process; freed one after the other.
class Endpoints {
 public:
  explicit Endpoints(int count, MPI_Comm parent = MPI_COMM_WORLD)
      : comms_(static_cast<std::size_t>(count), MPI_COMM_NULL) {
    code_ = MPIX_Comm_create_endpoints(parent, count, MPI_INFO_NULL, comms_.data());
  }
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;
  ~Endpoints() {
    for (MPI_Comm& comm : comms_) {
      if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
  }
  [[nodiscard]] int code() const { return code_; }
  MPI_Comm& operator[](int i) { return comms_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int count() const { return static_cast<int>(comms_.size()); }

 private:
  std::vector<MPI_Comm> comms_;
  int code_;
};

/// Runs `act(endpoint's communicator, its index)` for all at the same time, each in a thread of its own.
template <typename Act>
void each(Endpoints& endpoints, Act&& act) {
  std::vector<std::thread> threads;
  for (int i = 0; i < endpoints.count(); ++i) threads.emplace_back([&act, comm = endpoints[i], i] { act(comm, i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace raddle::testing
