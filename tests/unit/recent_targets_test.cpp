// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/recent_targets.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

namespace raddle::direct {
namespace {

using node::Target;

constexpr std::size_t least = RecentTargets::least;
constexpr bool through_ring = true;
constexpr bool at_once = false;

/// Rooms side by side that nobody looks into.
std::span<const std::byte> room(std::size_t which, std::size_t bytes = least) {
  static const std::vector<std::byte> memory(100 * least);
  return std::span(memory).subspan(which * least, bytes);
}

TEST(RecentTargets, AreInACacheUntilTooMuchHasComeIn) {
  RecentTargets targets(4 * least);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(targets.next(room(i), through_ring), Target::in_no_cache) << i;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(targets.next(room(i), through_ring), Target::perhaps_in_a_cache) << i;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(targets.next(room(i % 5), through_ring), i < 4 ? Target::perhaps_in_a_cache : Target::in_no_cache) << i;
  }
}

TEST(RecentTargets, StayLongerWhereNothingIsWrittenTwice) {
  RecentTargets targets(4 * least);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(targets.next(room(i), at_once), Target::in_no_cache) << i;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(targets.next(room(i), at_once), Target::perhaps_in_a_cache) << i;
  EXPECT_EQ(targets.next(room(0), through_ring), Target::in_no_cache);
}

TEST(RecentTargets, AreInNoCacheIfTheMessageIsLongerThanThat) {
  RecentTargets targets(4 * least);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(targets.next(room(0, 5 * least), through_ring), Target::in_no_cache);
}

TEST(RecentTargets, LeaveShortMessagesInTheCaches) {
  RecentTargets targets(4 * least);
  for (std::size_t i = 0; i < 50; ++i)
    EXPECT_EQ(targets.next(room(i, least - 1), through_ring), Target::perhaps_in_a_cache);
  // And what is longer has not become older by them.
  EXPECT_EQ(targets.next(room(60), through_ring), Target::in_no_cache);
  for (std::size_t i = 0; i < 50; ++i) static_cast<void>(targets.next(room(i, least - 1), through_ring));
  EXPECT_EQ(targets.next(room(60), through_ring), Target::perhaps_in_a_cache);
}

TEST(RecentTargets, AreForgottenWhenThereAreMany) {
  RecentTargets targets(1000 * least);
  for (std::size_t i = 0; i < 65; ++i) static_cast<void>(targets.next(room(i), through_ring));
  EXPECT_EQ(targets.next(room(64), through_ring), Target::perhaps_in_a_cache);
  EXPECT_EQ(targets.next(room(0), through_ring), Target::in_no_cache);
}

}  // namespace
}  // namespace raddle::direct
