// SPDX-License-Identifier: BSD-3-Clause
// A barrier of all contexts of all processes that needs no collective operation on the communicators under test.
#pragma once

#include <mpi.h>

#include <atomic>
#include <functional>

namespace raddle::traffic {

/// The threads of a process meet here; the first then meets those of the other processes.
class Meeting {
 public:
  explicit Meeting(int threads) : threads_(threads) {}

  /// @param thread 0 to threads - 1
  /// @param stop   whether this thread wants to end
  /// @param idle   called over and over while this thread waits: messages still leave from it
  /// @returns whether any thread anywhere wanted to end, the same for all
  bool meet(int thread, bool stop, const std::function<void()>& idle);

 private:
  int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> stop_{0};
  std::atomic<unsigned> meetings_{0};
  bool result_ = false;
};

}  // namespace raddle::traffic
