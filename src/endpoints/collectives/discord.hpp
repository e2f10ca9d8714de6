// SPDX-License-Identifier: BSD-3-Clause
// That the calls of ranks do not match any more, in memory of all that meet. Knows no MPI.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace raddle::endpoints::collectives {

/// From some number on ranks would wait for each other for ever, so nobody waits. All zeros: ranks are in step.
class alignas(64) Discord {
 public:
  [[nodiscard]] bool concerns(std::uint64_t number) const {
    return state_.load(std::memory_order_acquire) == written && number >= from_;
  }
  /// @pre it concerns some
  [[nodiscard]] std::uint64_t from() const { return from_; }
  /// Only the first one tells.
  void tell(std::uint64_t from, std::string_view why) {
    std::uint32_t untold = 0;
    if (!state_.compare_exchange_strong(untold, being_written)) return;
    from_ = from;
    why.copy(why_.data(), why_.size() - 1);
    state_.store(written, std::memory_order_release);
  }
  /// @pre it concerns some
  [[nodiscard]] std::string why() const { return {why_.data(), std::char_traits<char>::length(why_.data())}; }

 private:
  static constexpr std::uint32_t being_written = 1;
  static constexpr std::uint32_t written = 2;

  std::atomic<std::uint32_t> state_{0};
  std::uint64_t from_ = 0;
  std::array<char, 240> why_{};
};

}  // namespace raddle::endpoints::collectives
