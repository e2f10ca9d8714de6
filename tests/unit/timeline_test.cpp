// SPDX-License-Identifier: BSD-3-Clause
#include "profile/timeline.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>

namespace raddle::profile {
namespace {

constexpr std::uint64_t width = 1ULL << first_shift;
constexpr std::uint64_t origin = 12345;

std::unique_ptr<Timeline<2>> begun() {
  auto made = std::make_unique<Timeline<2>>();
  made->begin(origin);
  return made;
}

std::uint64_t sum(const Timeline<2>& of, int line) {
  return std::accumulate(std::begin(of.bin[line]), std::end(of.bin[line]), std::uint64_t{0});
}

TEST(Timeline, KeepsWhatIsInOneBin) {
  const auto line = begun();
  line->add(0, origin + 10, origin + 30);
  line->add(0, origin + 40, origin + 41);
  line->add(1, origin + 5, origin + 6);
  EXPECT_EQ(line->bin[0][0], 21U);
  EXPECT_EQ(line->bin[1][0], 1U);
}

TEST(Timeline, SplitsAtTheEdgesOfBins) {
  const auto line = begun();
  line->add(0, origin + width - 3, origin + 3 * width + 5);
  EXPECT_EQ(line->bin[0][0], 3U);
  EXPECT_EQ(line->bin[0][1], width);
  EXPECT_EQ(line->bin[0][2], width);
  EXPECT_EQ(line->bin[0][3], 5U);
}

TEST(Timeline, DoublesItsBinsAndLosesNothing) {
  const auto line = begun();
  line->add(0, origin, origin + bins * width);  // one tick past the last bin begins
  EXPECT_EQ(line->shift, first_shift + 1);
  EXPECT_EQ(sum(*line, 0), bins * width);
  EXPECT_EQ(line->bin[0][0], 2 * width);
  line->add(1, origin + 1000 * bins * width, origin + 1000 * bins * width + 7);
  EXPECT_EQ(line->shift, first_shift + 10);
  EXPECT_EQ(sum(*line, 0), bins * width);
  EXPECT_EQ(sum(*line, 1), 7U);
}

TEST(Timeline, LeavesOutWhatWasBeforeItBegan) {
  const auto line = begun();
  line->add(0, origin - 100, origin + 1);
  line->add(0, origin - 100, origin - 50);
  EXPECT_EQ(sum(*line, 0), 1U);
}

TEST(Timeline, Weighs) {
  const auto line = begun();
  line->add(0, origin + width - 1, origin + width + 2, 3);
  EXPECT_EQ(line->bin[0][0], 3U);
  EXPECT_EQ(line->bin[0][1], 6U);
}

}  // namespace
}  // namespace raddle::profile
