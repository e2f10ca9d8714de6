// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "endpoints/collectives/node_meeting.hpp"

namespace raddle::endpoints::collectives {
namespace {

template <typename Do>
void in_threads(int count, Do&& something) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&something, i] { something(i); });
  for (std::thread& thread : threads) thread.join();
}

template <typename Is>
void until(Is&& is) {
  while (!is()) std::this_thread::yield();
}

std::uint64_t word(std::uint64_t number, int seat) { return number * 100 + static_cast<std::uint64_t>(seat); }

TEST(Meeting, LetsEachReadWhatAllHaveBroughtUntilItHasFinished) {
  constexpr int seats = 3;
  const std::uint64_t rounds = 300 * static_cast<std::uint64_t>(test::effort());
  Meeting meeting(seats);
  std::atomic<int> wrong{0};
  in_threads(seats, [&](int me) {
    for (std::uint64_t number = 1; number <= rounds; ++number) {
      until([&] { return meeting.open(number); });
      MeetingSeat& mine = meeting.seat(number, me);
      const std::uint64_t brought = word(number, me);
      std::memcpy(mine.little, &brought, sizeof brought);
      meeting.arrive(number, me);
      if (number % 5 != 0 || me == 0) {  // some need nothing of the others
        until([&] { return meeting.all_have_arrived(number); });
        for (int seat = 0; seat < seats; ++seat) {
          std::uint64_t got = 0;
          std::memcpy(&got, meeting.seat(number, seat).little, sizeof got);
          if (got != word(number, seat)) ++wrong;
        }
      }
      meeting.finish(number, me);
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(meeting.all_have_finished(rounds));
}

/// Before that the seat says what an earlier number was, which is no call of this one.
TEST(Meeting, TellsTheCallOfAnotherOneOnlyOnceItHasArrived) {
  constexpr int seats = 2;
  const std::uint64_t rounds = 2000 * static_cast<std::uint64_t>(test::effort());
  Meeting meeting(seats);
  std::atomic<int> wrong{0};
  in_threads(seats, [&](int me) {
    for (std::uint64_t number = 1; number <= rounds; ++number) {
      until([&] { return meeting.open(number); });
      meeting.seat(number, me).call = word(number, me);
      meeting.arrive(number, me);
      std::optional<std::uint64_t> other;
      until([&] { return (other = meeting.call_of(number, 1 - me)).has_value(); });
      if (*other != word(number, 1 - me)) ++wrong;
      meeting.finish(number, me);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Meeting, KeepsAFastOneFromASlotThatIsStillRead) {
  Meeting meeting(2);
  for (std::uint64_t number = 1; number <= Meeting::slots; ++number) {
    EXPECT_TRUE(meeting.open(number));
    meeting.arrive(number, 0);
    meeting.finish(number, 0);
  }
  EXPECT_FALSE(meeting.open(Meeting::slots + 1));
  meeting.arrive(1, 1);
  EXPECT_FALSE(meeting.open(Meeting::slots + 1));
  meeting.finish(1, 1);
  EXPECT_TRUE(meeting.open(Meeting::slots + 1));
  EXPECT_FALSE(meeting.open(Meeting::slots + 2));
}

TEST(Meeting, HasArrivedForItsNumberOnly) {
  Meeting meeting(1);
  meeting.arrive(1, 0);
  EXPECT_TRUE(meeting.has_arrived(1, 0));
  EXPECT_FALSE(meeting.has_arrived(1 + Meeting::slots, 0));
}

TEST(Shares, AreTakenOnceEachAndAllDoneWhenTheLastIs) {
  constexpr int threads = 3;
  constexpr std::uint64_t shares = 50;
  const std::uint64_t rounds = 100 * static_cast<std::uint64_t>(test::effort());
  Shares work;
  std::vector<int> done(shares);
  std::atomic<int> wrong{0};
  for (std::uint64_t number = 1; number <= rounds; ++number) {
    in_threads(threads, [&](int) {
      work.help(number, shares, [&](std::uint64_t share) { ++done[share]; });  // a share that two have taken is a race
      until([&] { return work.complete(number, shares); });
      for (const int times : done) {
        if (times != static_cast<int>(number)) ++wrong;
      }
    });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Shares, OfNothingAreComplete) {
  Shares work;
  EXPECT_EQ(work.take(7, 0), 0U);
  EXPECT_TRUE(work.complete(7, 0));
}

}  // namespace
}  // namespace raddle::endpoints::collectives
