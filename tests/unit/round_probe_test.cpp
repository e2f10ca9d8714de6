// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/round_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
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

bool is_a_candidate(std::size_t bytes) { return std::ranges::count(RoundProbe::candidates, bytes) == 1; }

TEST(RoundProbe, TwoTryAndAgreeOnOne) {
  for (const std::size_t stride : {RoundProbe::candidates[1], RoundProbe::candidates[0], std::size_t{48} * 1024}) {
    Shared shared(stride);
    std::thread other([&] { shared.probe.follow(shared.rooms); });
    shared.probe.lead(shared.rooms);
    other.join();
    EXPECT_TRUE(is_a_candidate(shared.probe.chosen())) << shared.probe.chosen();
  }
}

TEST(RoundProbe, NobodyWaitsForOneWhoIsNotThere) {
  Shared shared(RoundProbe::candidates[1]);
  shared.probe.lead(shared.rooms);
  EXPECT_EQ(shared.probe.chosen(), RoundProbe::candidates[0]);
  shared.probe.follow(shared.rooms);  // comes too late
}

TEST(RoundProbe, WhatIsKnownIsNotTriedAgain) {
  Shared shared(RoundProbe::candidates[1]);
  std::thread other([&] { shared.probe.follow(shared.rooms); });
  shared.probe.tell(RoundProbe::candidates[1]);
  other.join();
  EXPECT_EQ(shared.probe.chosen(), RoundProbe::candidates[1]);
}

}  // namespace
}  // namespace raddle::endpoints::collectives
