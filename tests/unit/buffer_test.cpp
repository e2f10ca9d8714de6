// SPDX-License-Identifier: BSD-3-Clause
#include "core/buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>

namespace raddle::bench {
namespace {

TEST(Slots, AreAlignedAndApart) {
  Slots slots(100, 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slots[0].data()) % page, 0U);
  EXPECT_EQ(slots[1].data() - slots[0].data(), 128);
  EXPECT_EQ(slots[2].size(), 100U);
  EXPECT_NE(slots[0][0], std::byte{0});  // touched when made
  Slots empty(0, 2);
  EXPECT_EQ(empty[1].size(), 0U);
  EXPECT_NE(empty[0].data(), empty[1].data());
}

TEST(Pattern, SeesEveryKindOfMixUp) {
  Slots slots(4096, 1);
  fill(slots[0], 3, 7);
  const auto wrong = [&](int flow, int sequence) {
    Validation v;
    compare(slots[0], flow, sequence, v);
    EXPECT_EQ(v.bytes, 4096);
    return v.wrong;
  };
  EXPECT_EQ(wrong(3, 7), 0);
  EXPECT_GT(wrong(2, 7), 3500);  // another flow's message
  EXPECT_GT(wrong(3, 8), 3500);  // the next message of this flow
  slots[0][17] ^= std::byte{1};
  EXPECT_EQ(wrong(3, 7), 1);  // one flipped bit
  slots[0][17] ^= std::byte{1};
  std::swap_ranges(slots[0].begin(), slots[0].begin() + 64, slots[0].begin() + 64);
  EXPECT_GT(wrong(3, 7), 100);  // two lines exchanged
}

TEST(Pattern, DistinguishesEightByteMessages) {
  std::set<std::uint64_t> seen;
  for (int flow = 0; flow < 16; ++flow) {
    for (int sequence = 0; sequence < 64; ++sequence) {
      const std::uint64_t word = pattern(flow, sequence, 0);
      seen.insert(word);
    }
  }
  EXPECT_EQ(seen.size(), 16U * 64U);
}

}  // namespace
}  // namespace raddle::bench
