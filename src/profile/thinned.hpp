// SPDX-License-Identifier: BSD-3-Clause
// A log of numbered events with a fixed number of places. When it is full, it keeps those whose number a stride
// divides, which doubles: so different processes keep the same ones of a series.
#pragma once

#include <cstdint>

namespace raddle::profile {

/// `Entry` has a `number`. One thread writes; a reader may come at any time, and sees `used` entries.
template <typename Entry, std::uint32_t places>
struct Thinned {
  std::uint64_t stride;  ///< a power of two; 0 in a new file stands for 1
  std::uint32_t used;
  std::uint32_t closed;  ///< 1: it was full of events that no stride thins out, and takes no more
  Entry entry[places];

  [[nodiscard, gnu::always_inline]] bool takes(std::uint64_t number) const {
    return (number & (stride == 0 ? 0 : stride - 1)) == 0 && closed == 0;
  }

  void add(const Entry& one) {
    if (!takes(one.number)) return;
    if (used >= places) thin();
    if (used >= places || !takes(one.number)) return;
    entry[used] = one;
    ++used;
  }

 private:
  [[gnu::noinline]] void thin() {
    stride = stride == 0 ? 2 : 2 * stride;
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < used; ++i) {
      if (entry[i].number % stride == 0) entry[kept++] = entry[i];
    }
    used = kept;
    if (kept > places - places / 8) closed = 1;  // or it would be thinned at every other event
  }
};

}  // namespace raddle::profile
