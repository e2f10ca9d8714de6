// SPDX-License-Identifier: BSD-3-Clause
// Computation of a known length for tests of overlap: what an application does while messages travel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock.hpp"

namespace raddle::bench {

/// Sweeps over a vector; one unit is a sweep of about 50 us, over data that fit the first level cache (`cache`) or no
/// cache at all (`memory`).
class Kernel {
 public:
  explicit Kernel(const std::string& where);

  /// Does `units` units of work.
  void run(std::int64_t units) noexcept;

  /// Units that take `duration` on this CPU when nothing disturbs it; the best of several tries.
  [[nodiscard]] std::int64_t units_for(Nanoseconds duration);

 private:
  std::vector<std::uint32_t> data_;
  std::size_t stretch_;  ///< elements a unit touches
  std::size_t at_ = 0;
  std::uint32_t passes_;
};

}  // namespace raddle::bench
