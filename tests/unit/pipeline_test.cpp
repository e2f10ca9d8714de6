// SPDX-License-Identifier: BSD-3-Clause
#include "node/pipeline.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "engines/direct/copy_choice.hpp"

namespace raddle::node {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::size_t page = PipelineRing::page;

Bytes some(std::size_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes all(bytes);
  for (std::byte& one : all) one = static_cast<std::byte>(random());
  return all;
}

/// What is there of it, at the end of `to`.
std::size_t take(Pipeline& pipeline, const PipelineRing& ring, Bytes& to) {
  const auto next = pipeline.next(ring);
  to.insert(to.end(), next.begin(), next.end());
  pipeline.took(next.size());
  return next.size();
}

TEST(PipelineRing, GivesWholePagesAndNoMoreThanHalf) {
  Bytes memory(16 * page);
  const PipelineRing ring(memory);
  EXPECT_EQ(ring.room_for(1), page);
  EXPECT_EQ(ring.room_for(page), page);
  EXPECT_EQ(ring.room_for(page + 1), 2 * page);
  EXPECT_EQ(ring.room_for(100 * page), 8 * page);
  EXPECT_LE(ring.room_for(ring.most_at_once()), ring.bytes() / 2);
}

TEST(Pipeline, HoldsNoMoreThanItsRoom) {
  Bytes memory(8 * page);
  const PipelineRing ring(memory);
  const Bytes message = some(6 * page + 5, 1);
  Pipeline pipeline;
  pipeline.prepare(message.size());
  EXPECT_EQ(pipeline.push(ring, message.data()), 0U) << "it has no room yet";
  EXPECT_TRUE(pipeline.next(ring).empty());
  pipeline.give_room(7 * page, 2 * page);  // goes on at the ring's begin
  std::size_t pushed = 0;
  while (const std::size_t now = pipeline.push(ring, message.data())) pushed += now;
  EXPECT_EQ(pushed, 2 * page);
  EXPECT_FALSE(pipeline.all_left());
  EXPECT_FALSE(pipeline.is_matched());
  pipeline.match();
  EXPECT_TRUE(pipeline.is_matched());
  Bytes got;
  for (int i = 0; i < 100 && !pipeline.all_here(); ++i) {
    take(pipeline, ring, got);
    pipeline.push(ring, message.data());
  }
  EXPECT_TRUE(pipeline.all_here());
  EXPECT_EQ(got, message);
  EXPECT_FALSE(pipeline.is_over());
  pipeline.end();
  EXPECT_TRUE(pipeline.is_over());
}

TEST(Pipeline, LeavesToTheSenderWhatIsNotPulled) {
  Bytes memory(8 * page);
  const PipelineRing ring(memory);
  const Bytes message = some(3 * page + 5, 2);
  Pipeline pipeline;
  pipeline.prepare(message.size());
  const Pipeline::Part back = pipeline.pull(2 * page);
  pipeline.give_room(0, 4 * page);
  EXPECT_EQ(back.begin, 2 * page);
  EXPECT_EQ(back.bytes, page + 5);
  EXPECT_EQ(pipeline.push(ring, message.data()), 2 * page);
  EXPECT_EQ(pipeline.push(ring, message.data()), 0U);
  EXPECT_EQ(pipeline.pull(2 * page).bytes, 0U);
  EXPECT_FALSE(pipeline.all_left()) << "the pages at the back are still being read";
  pipeline.pulled(back.bytes);
  EXPECT_TRUE(pipeline.all_left());
  Bytes got;
  EXPECT_FALSE(pipeline.all_here());
  EXPECT_EQ(take(pipeline, ring, got), 2 * page);
  EXPECT_TRUE(pipeline.all_here());
}

/// Two threads, one of which now and then pulls.
TEST(Pipeline, BringsEachByteOnce) {
  const std::uint64_t seed = test::new_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  Bytes memory(8 * page);
  const PipelineRing ring(memory);
  std::uint64_t first = 0;
  for (int message = 0; message < 200 * test::effort(); ++message) {
    const Bytes sent = some(1 + random() % (20 * page), random());
    const std::size_t room = ring.room_for(sent.size());
    const bool pulls = random() % 2 == 0;
    Pipeline pipeline;
    pipeline.prepare(sent.size());
    std::jthread sender([&] {
      pipeline.give_room(first, room);  // as late as it likes
      while (!pipeline.all_left()) {
        if (pipeline.push(ring, sent.data()) == 0) std::this_thread::yield();
      }
    });
    Bytes got(sent.size());
    std::size_t taken = 0;
    while (!pipeline.all_here()) {
      const auto next = pipeline.next(ring);
      std::ranges::copy(next, got.begin() + static_cast<std::ptrdiff_t>(taken));
      taken += next.size();
      pipeline.took(next.size());
      if (!next.empty()) continue;
      if (pulls) {
        const Pipeline::Part part = pipeline.pull(page);
        std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>(part.begin), part.bytes,
                    got.begin() + static_cast<std::ptrdiff_t>(part.begin));
        pipeline.pulled(part.bytes);
      }
      std::this_thread::yield();
    }
    ASSERT_EQ(got, sent) << "message " << message;
    sender.join();
    first += room;
  }
}

TEST(Pipeline, IsPulledWholeWithoutRoom) {
  const Bytes message = some(3 * page + 5, 3);
  Pipeline pipeline;
  pipeline.prepare(message.size());
  EXPECT_EQ(pipeline.message(), message.size());
  std::size_t pulled = 0;
  while (const std::size_t now = pipeline.pull(page).bytes) {
    pipeline.pulled(now);
    pulled += now;
  }
  EXPECT_EQ(pulled, message.size());
  EXPECT_TRUE(pipeline.all_left());
  EXPECT_TRUE(pipeline.all_here());
}

// Which way a message goes.

using direct::CopyChoice;
using Way = CopyChoice::Way;
constexpr std::size_t large = std::size_t{1} << 20U;

/// A message of 1 MiB, out of the ring at once. @returns how it went
Way send(CopyChoice& choice, std::chrono::microseconds pushing) {
  const Way way = choice.next(large);
  if (way == Way::pipeline) {
    choice.pushed(large, pushing);
    choice.taken(large, std::chrono::microseconds(1));
  }
  return way;
}

TEST(CopyChoice, KeepsToARingThatIsFast) {
  CopyChoice choice;
  choice.warm_up(2 * large);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(send(choice, std::chrono::microseconds(1)), Way::pipeline) << i;
}

TEST(CopyChoice, LeavesARingThatIsSlowAndTriesItEverMoreRarely) {
  const std::uint64_t here = 42;
  if (!can_reach(getpid(), reinterpret_cast<std::uintptr_t>(&here), here))
    GTEST_SKIP() << "no process may look into another here";
  CopyChoice choice;
  choice.warm_up(2 * large);
  std::vector<int> tries;
  for (int i = 0; i < 3000; ++i) {
    if (send(choice, std::chrono::seconds(1)) == Way::pipeline) tries.push_back(i);
  }
  ASSERT_LT(tries.size(), 40U);
  EXPECT_GT(tries.back(), 1000);
  int i = 0;
  while (i < 3000 && send(choice, std::chrono::microseconds(1)) == Way::fetch) ++i;
  int stays = 0;
  for (int after = 0; after < 200; ++after)
    stays += send(choice, std::chrono::microseconds(1)) == Way::pipeline ? 1 : 0;
  EXPECT_EQ(stays, 200) << "it has become fast";
}

TEST(CopyChoice, LeavesARingOutOfWhichTheReceiverIsSlow) {
  const std::uint64_t here = 42;
  if (!can_reach(getpid(), reinterpret_cast<std::uintptr_t>(&here), here))
    GTEST_SKIP() << "no process may look into another here";
  CopyChoice choice;
  choice.warm_up(large);
  // The sender hears of each when it sends the one after the next.
  int through_the_ring = 0;
  for (int i = 0; i < 200; ++i) {
    if (choice.next(large) == Way::fetch) continue;
    choice.pushed(large, std::chrono::microseconds(1));
    if (++through_the_ring % 2 == 0) choice.taken(2 * large, std::chrono::seconds(1));
  }
  EXPECT_LT(through_the_ring, 20);
  int i = 0;
  while (i < 3000 && choice.next(large) == Way::fetch) ++i;
  for (int message = 0; message < 3; ++message) {
    choice.pushed(large, std::chrono::microseconds(1));
    EXPECT_EQ(choice.next(large), Way::pipeline) << "what the receiver needs now is not known yet";
  }
  choice.taken(2 * large, std::chrono::microseconds(1));
  EXPECT_EQ(choice.next(large), Way::pipeline) << "it has become fast";
}

TEST(CopyChoice, OneCopyThatWasInterruptedChangesNothing) {
  CopyChoice choice;
  choice.warm_up(0);
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(send(choice, i % 20 == 10 ? std::chrono::milliseconds(10) : std::chrono::microseconds(1)), Way::pipeline)
        << i;
}

}  // namespace
}  // namespace raddle::node
