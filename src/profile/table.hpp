// SPDX-License-Identifier: BSD-3-Clause
// A table with a fixed number of places, in memory that begins as zeros. One thread writes, nothing is ever removed.
#pragma once

#include <cstdint>

namespace raddle::profile {

/// Spreads what differs in few bits.
[[gnu::always_inline]] inline std::uint64_t spread(std::uint64_t key) {
  key *= 0x9E3779B97F4A7C15ULL;
  return key ^ (key >> 29U);
}

/// `Entry` has a `key`, which is never 0. `places` is a power of two.
template <typename Entry, std::uint32_t places>
struct Table {
  static constexpr std::uint32_t most = places - places / 8;  ///< or looking would take long
  std::uint32_t used;
  std::uint32_t reserved;
  Entry entry[places];

  /// The one of this key; nullptr: it is new, and there is no more room. `ready(Entry*)` says whether memory may be
  /// written for the first time.
  template <typename Ready>
  [[gnu::always_inline]] Entry* find(std::uint64_t key, Ready ready) {
    Entry* const near = &entry[spread(key) & (places - 1)];
    if (near->key == key) [[likely]]
      return near;
    return look(key, ready);
  }
  [[gnu::always_inline]] Entry* find(std::uint64_t key) {
    return find(key, [](const Entry*) { return true; });
  }

 private:
  template <typename Ready>
  [[gnu::noinline]] Entry* look(std::uint64_t key, Ready ready) {
    for (std::uint64_t at = spread(key) & (places - 1);; at = (at + 1) & (places - 1)) {
      if (entry[at].key == key) return &entry[at];
      if (entry[at].key != 0) continue;
      if (used >= most || !ready(&entry[at])) return nullptr;
      ++used;
      entry[at].key = key;
      return &entry[at];
    }
  }
};

}  // namespace raddle::profile
