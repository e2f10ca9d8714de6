// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/round_probe.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <vector>

namespace raddle::endpoints::collectives {
namespace {

/// What the processes of a node share, in one.
class Shared {
 public:
  explicit Shared(std::size_t stride, std::size_t count = 8)
      : bytes_(stride * count), rooms{.first = bytes_.data(), .stride = stride, .bytes = stride, .count = count} {}

 private:
  std::vector<std::byte> bytes_;
  std::unique_ptr<RoundProbe> made_ = std::unique_ptr<RoundProbe>(new RoundProbe());  // zeros

 public:
  RoundProbe::Rooms rooms;
  RoundProbe& probe = *made_;
};

constexpr std::size_t room = 128 * 1024;
constexpr std::uint64_t patience = 30000;  // milliseconds: the machine may have other work

TEST(RoundProbe, TwoTryAndAgreeOnOne) {
  for (const std::size_t stride : {room, RoundProbe::least_round, std::size_t{48} * 1024}) {
    Shared shared(stride);
    std::thread other([&] { shared.probe.follow(shared.rooms, 0, patience); });
    EXPECT_TRUE(shared.probe.lead(shared.rooms, 0, patience));
    other.join();
    ASSERT_TRUE(shared.probe.chosen());
    EXPECT_LT(shared.probe.chosen()->rounds, RoundProbe::candidates.size());
  }
}

TEST(RoundProbe, NothingIsReadWhereTheOtherOneIsOutOfReach) {
  // Neither one that says so, nor one that finds out: no process has this number.
  for (const std::optional<pid_t> leader : {std::optional<pid_t>(), std::optional<pid_t>(0x7ffffffe)}) {
    Shared shared(room);
    std::thread other([&] { shared.probe.follow(shared.rooms, leader, patience); });
    EXPECT_TRUE(shared.probe.lead(shared.rooms, 0, patience));
    other.join();
    ASSERT_TRUE(shared.probe.chosen());
    EXPECT_FALSE(shared.probe.chosen()->refers(std::size_t{1} << 30U));
  }
}

TEST(RoundProbe, NobodyWaitsForOneWhoIsNotThere) {
  Shared shared(room);
  EXPECT_FALSE(shared.probe.chosen());
  EXPECT_FALSE(shared.probe.lead(shared.rooms, 0));
  EXPECT_EQ(shared.probe.chosen(), RoundProbe::Choice());
  shared.probe.follow(shared.rooms, 0);  // comes too late
}

TEST(RoundProbe, WhatIsKnownIsNotTriedAgain) {
  for (const RoundProbe::Choice choice : {RoundProbe::Choice{0, 1}, RoundProbe::Choice{2, 3}}) {
    Shared shared(room);
    std::thread other([&] { shared.probe.follow(shared.rooms, 0); });
    shared.probe.tell(choice);
    other.join();
    EXPECT_EQ(shared.probe.chosen(), choice);
  }
}

}  // namespace
}  // namespace raddle::endpoints::collectives
