// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/counters.hpp"

#include <mutex>

#include "platform/must.hpp"
#include "platform/waiting.hpp"
#include "sparse/check.hpp"

namespace raddle::sparse {
namespace {

/// Collective over `comm`: while it lives, no other thread of these processes makes or frees a window of Raddle's,
/// which Open MPI 5.0 does not survive. Whoever has his process's lock gives it back unless all have theirs, so that
/// two communicators never wait for each other.
class AloneWithWindows {
 public:
  explicit AloneWithWindows(MPI_Comm comm) {
    for (int all = 0; all == 0;) {
      const int mine = lock_.try_lock() ? 1 : 0;
      const int code = MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
      if ((all == 0 || code != MPI_SUCCESS) && mine != 0) lock_.unlock();
      check(code);
      if (all == 0) platform::Machine::yield();
    }
  }
  AloneWithWindows(const AloneWithWindows&) = delete;
  AloneWithWindows& operator=(const AloneWithWindows&) = delete;
  ~AloneWithWindows() { lock_.unlock(); }

 private:
  static std::mutex lock_;
};

std::mutex AloneWithWindows::lock_;

}  // namespace

Counters::Counters(MPI_Comm comm) : comm_(comm) {
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm, &rank_));
  const AloneWithWindows alone(comm);
  constexpr int unit = sizeof(std::int64_t);
  check(MPI_Win_allocate(2 * unit, unit, MPI_INFO_NULL, comm, static_cast<void*>(&numbers_), &window_));
  platform::must("MPI_Win_set_errhandler", MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN));
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_));
  numbers_[0] = numbers_[1] = 0;
  check(MPI_Win_sync(window_));
  check(MPI_Barrier(comm));
}

Counters::~Counters() {
  const AloneWithWindows alone(comm_);
  platform::must("MPI_Win_unlock_all", MPI_Win_unlock_all(window_));
  platform::regardless(MPI_Win_free(&window_));
}

void Counters::add(const std::int64_t& number, std::int64_t& earlier, int rank, int parity,
                   MPI_Request& request) const {
  check(MPI_Rget_accumulate(&number, 1, MPI_INT64_T, &earlier, 1, MPI_INT64_T, rank, parity, 1, MPI_INT64_T, MPI_SUM,
                            window_, &request));
}

std::int64_t Counters::take(int parity) const {
  constexpr std::int64_t none = 0;
  std::int64_t number = 0;
  check(MPI_Fetch_and_op(&none, &number, MPI_INT64_T, rank_, parity, MPI_REPLACE, window_));
  check(MPI_Win_flush(rank_, window_));
  return number;
}

}  // namespace raddle::sparse
