// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/counters.hpp"

#include "sparse/check.hpp"

namespace raddle::sparse {

Counters::Counters(MPI_Comm comm) {
  MPI_Comm_rank(comm, &rank_);
  constexpr int unit = sizeof(std::int64_t);
  check(MPI_Win_allocate(2 * unit, unit, MPI_INFO_NULL, comm, static_cast<void*>(&numbers_), &window_));
  MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_));
  numbers_[0] = numbers_[1] = 0;
  check(MPI_Win_sync(window_));
  check(MPI_Barrier(comm));
}

Counters::~Counters() {
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
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
