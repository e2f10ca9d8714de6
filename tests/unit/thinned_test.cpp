// SPDX-License-Identifier: BSD-3-Clause
#include "profile/thinned.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>

namespace raddle::profile {
namespace {

struct Event {
  std::uint64_t number;
};
using Log = Thinned<Event, 16>;

std::set<std::uint64_t> kept(const Log& log) {
  std::set<std::uint64_t> numbers;
  for (std::uint32_t i = 0; i < log.used; ++i) numbers.insert(log.entry[i].number);
  return numbers;
}

TEST(Thinned, KeepsAllWhileThereIsRoom) {
  Log log{};
  for (std::uint64_t i = 0; i < 16; ++i) log.add({i});
  EXPECT_EQ(log.used, 16U);
  EXPECT_EQ(kept(log).size(), 16U);
}

TEST(Thinned, KeepsTheMultiplesOfAStride) {
  Log log{};
  for (std::uint64_t i = 0; i < 1000; ++i) log.add({i});
  EXPECT_EQ(log.stride, 64U);
  std::set<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 1000; i += 64) expected.insert(i);
  EXPECT_EQ(kept(log), expected);
}

TEST(Thinned, DifferentLogsShareWhatTheyKeep) {
  Log few{};
  Log many{};
  for (std::uint64_t i = 0; i < 1000; ++i) {
    if (i < 20) few.add({i});
    many.add({i});
  }
  for (const std::uint64_t number : kept(few)) EXPECT_EQ(kept(many).contains(number), number % 64 == 0);
}

TEST(Thinned, ClosesWhereNothingThinsOut) {
  Log log{};
  for (int i = 0; i < 100; ++i) log.add({0});  // each the first of its series
  EXPECT_EQ(log.used, 16U);
  EXPECT_EQ(log.closed, 1U);
  EXPECT_FALSE(log.takes(0));
}

}  // namespace
}  // namespace raddle::profile
