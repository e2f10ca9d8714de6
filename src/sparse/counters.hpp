// SPDX-License-Identifier: BSD-3-Clause
// For RSX: numbers that other ranks add to from afar, one for exchanges of each parity.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

namespace raddle::sparse {

class Counters {
 public:
  /// Collective over `comm`, which outlives it. @throws endpoints::Failure: it has no windows
  explicit Counters(MPI_Comm comm);
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  /// Collective.
  ~Counters();

  /// Adds to the number of another rank. The request is complete when that is done there (MPI-4.1 section 12.3.5: the
  /// earlier value, which nobody wants, is back). Both numbers stay where they are until then.
  void add(const std::int64_t& number, std::int64_t& earlier, int rank, int parity, MPI_Request& request) const;
  /// The own number, which becomes 0.
  [[nodiscard]] std::int64_t take(int parity) const;

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  std::int64_t* numbers_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace raddle::sparse
