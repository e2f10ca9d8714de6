// SPDX-License-Identifier: BSD-3-Clause
// Where long messages were received last: what lies there is still in a cache if not much has come in since. Where it
// is not, a copy that goes past the caches is up to twice as fast, since no line is fetched to be written over; where
// it is, the receiver would have to fetch from memory what it now has at hand. Knows no MPI.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "node/cross_memory.hpp"

namespace raddle::direct {

class RecentTargets {
 public:
  /// Shorter messages are left in the caches, whatever came before.
  static constexpr std::size_t least = std::size_t{256} * 1024;

  /// @param cached  bytes of messages through a ring that caches hold beside what else they have
  explicit RecentTargets(std::uint64_t cached = of_this_machine()) : cached_(cached) {}

  /// For the next message. @param through_ring  its bytes are written twice
  [[nodiscard]] node::Target next(std::span<const std::byte> room, bool through_ring) {
    if (room.size() < least) return node::Target::perhaps_in_a_cache;
    received_ += room.size();
    const auto known = std::ranges::find_if(known_, [&](const Known& one) { return one.begin == room.data(); });
    const bool recent = known != known_.end() && received_ - known->at <= (through_ring ? cached_ : 2 * cached_);
    Known& place = known != known_.end() ? *known : known_[next_++ % known_.size()];
    place = {room.data(), received_};
    return recent ? node::Target::perhaps_in_a_cache : node::Target::in_no_cache;
  }

 private:
  struct Known {
    const std::byte* begin = nullptr;
    std::uint64_t at = 0;  ///< received, ever, when it came
  };

  /// A quarter of the largest cache, of which not all may be this core's.
  static std::uint64_t of_this_machine() {
    constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
    static const long bytes = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
    return bytes <= 0 ? 4 * mib : std::clamp<std::uint64_t>(static_cast<std::uint64_t>(bytes) / 4, mib, 8 * mib);
  }

  std::uint64_t cached_;
  std::uint64_t received_ = 0;
  std::size_t next_ = 0;
  std::array<Known, 64> known_{};
};

}  // namespace raddle::direct
