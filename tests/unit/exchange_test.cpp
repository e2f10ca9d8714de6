// SPDX-License-Identifier: BSD-3-Clause
#include "core/exchange.hpp"

#include <gtest/gtest.h>

#include <set>

namespace raddle::bench {
namespace {

PointSet exchange_of(std::int64_t bytes, int threads, std::int64_t parties, std::int64_t volume) {
  return {"fft_exchange",
          Placement::node,
          {},
          {.bytes = bytes, .threads = threads, .params = {{"parties", parties}, {"volume", volume}}}};
}

TEST(Exchange, RoundsMakeUpTheVolumeAndAreOneAtLeast) {
  EXPECT_EQ(exchange_rounds(exchange_of(64, 1, 2, 1 << 18).work), 1024);
  EXPECT_EQ(exchange_rounds(exchange_of(64, 2, 2, 1 << 18).work), 256);
  EXPECT_EQ(exchange_rounds(exchange_of(1000, 2, 3, 100'000).work), 2);
  EXPECT_EQ(exchange_rounds(exchange_of(1 << 20, 2, 2, 1 << 18).work), 1);
  EXPECT_EQ(exchange_rounds(exchange_of(1 << 30, 4096, 2, 1 << 18).work), 1);
}

TEST(Exchange, RefusesWhatIsNoExchange) {
  EXPECT_THROW(check_exchange(exchange_of(0, 1, 2, 1)), PlanError);
  EXPECT_NO_THROW(check_exchange(exchange_of(1, 1, 2, 1)));
}

TEST(Exchange, MarksTellAllBlocksOfASenderApart) {
  const Work work = exchange_of(1000, 2, 2, 100'000).work;
  std::set<int> marks;
  for (int round = 0; round < exchange_rounds(work); ++round) {
    for (int to = 0; to < exchange_contexts(work); ++to) marks.insert(exchange_mark(work, round, {3, to}));
  }
  EXPECT_EQ(static_cast<int>(marks.size()), exchange_rounds(work) * exchange_contexts(work));
}

TEST(Exchange, TheBandwidthOfAContextIsItsShareOfTheVolume) {
  const Work work = exchange_of(64, 2, 2, 1 << 18).work;
  EXPECT_DOUBLE_EQ(exchange_method(nullptr).work_per_operation(work) * 4, 262'144e-6);
}

}  // namespace
}  // namespace raddle::bench
