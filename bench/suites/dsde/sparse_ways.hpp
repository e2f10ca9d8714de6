// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of `dsde_...`: the MPI's own calls as programs write them, and Raddle's call with each of its
// algorithms.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/arm.hpp"

namespace raddle::bench {

/// One rank's part in exchanges on a communicator, made by all of its ranks at the same time.
class SparseWay {
 public:
  struct Message {
    int source;
    std::span<const std::byte> content;
  };

  SparseWay() = default;
  virtual ~SparseWay() = default;
  SparseWay(const SparseWay&) = delete;
  SparseWay& operator=(const SparseWay&) = delete;

  /// Message i, the i-th of equal parts of `out`, for dests[i].
  virtual void exchange(const std::byte* out, std::span<const int> dests) = 0;
  /// What came with the last exchange, until the next one.
  [[nodiscard]] virtual std::vector<Message> arrived() const = 0;
  /// By which one of Raddle's algorithms the last exchange was made, as dsde_algorithms.toml counts them; `unread`
  /// where that goes without saying.
  [[nodiscard]] virtual double chosen() const { return unread; }
};

/// @throws Unavailable where this launch has no such algorithm
void check_sparse(const std::string& algorithm, bool endpoint);

/// @pre check_sparse did not throw
std::unique_ptr<SparseWay> make_sparse_way(const std::string& algorithm, MPI_Comm comm, std::size_t bytes);

}  // namespace raddle::bench
