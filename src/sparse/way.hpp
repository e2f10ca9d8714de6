// SPDX-License-Identifier: BSD-3-Clause
// One exchange under way, by one algorithm.
#pragma once

#include <cstdint>

namespace raddle::sparse {

/// What a step has brought. Those who wait pause only where nothing moves.
enum class Step : std::uint8_t { idle, moved, over };

[[nodiscard]] constexpr Step moved_if(bool moved) { return moved ? Step::moved : Step::idle; }

class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  /// Never waits. One thread at a time, and not after it is over. @throws endpoints::Failure
  virtual Step step() = 0;

  /// Whether a step that finds nothing asks the MPI, which may yield itself.
  [[nodiscard]] virtual bool asks_mpi() const { return true; }
};

}  // namespace raddle::sparse
