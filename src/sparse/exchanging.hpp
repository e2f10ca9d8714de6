// SPDX-License-Identifier: BSD-3-Clause
// How many threads of this process exchange at this moment, on whatever communicator: each of them needs a core.
#pragma once

#include <algorithm>
#include <atomic>

namespace raddle::sparse {

/// One of them, as long as this lives.
class Exchanging {
 public:
  Exchanging() noexcept { now_.fetch_add(1, std::memory_order_relaxed); }
  Exchanging(const Exchanging&) = delete;
  Exchanging& operator=(const Exchanging&) = delete;
  ~Exchanging() { now_.fetch_sub(1, std::memory_order_relaxed); }

  /// At least the one that asks.
  [[nodiscard]] static int threads() noexcept { return std::max(1, now_.load(std::memory_order_relaxed)); }

 private:
  inline static std::atomic<int> now_{0};
};

}  // namespace raddle::sparse
