// SPDX-License-Identifier: BSD-3-Clause
// Who is told to be a group's last one: in every order of a few threads, and with many.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "interleave.hpp"
#include "partitioned/groups.hpp"

namespace raddle::partitioned {
namespace {

using test::interleave::explore;
using test::interleave::plain_read;
using test::interleave::plain_write;
using test::interleave::Result;

constexpr int partitions = 4;

/// A send of four partitions, which so many rounds of have ended before. Who is told to be the last one of a group
/// reads it, as a message would. `Atomic`: as the counters'.
template <template <typename> class Atomic, int per_group, int before>
struct World {
  World() {
    begin();
    for (int i = 0; i < before; ++i) {
      for (int partition = 0; partition < partitions; ++partition) ready(partition);
      begin();
    }
  }

  void begin() {
    counters.next_round();
    ++round;
    lasts = {};
  }
  void ready(int partition) {
    plain_write(&data.at(at(partition)));
    data.at(at(partition)) = round;
    const int group = groups.of(partition);
    if (!counters.arrive(group)) return;
    ++lasts.at(at(group));
    const Range range = groups.partitions_of(group);
    for (int one = range.first; one < range.end; ++one) {
      plain_read(&data.at(at(one)));
      if (data.at(at(one)) != round) incomplete = true;
    }
  }
  [[nodiscard]] std::string check() const {
    for (int group = 0; group < groups.count(); ++group) {
      if (lasts.at(at(group)) != 1) return std::to_string(lasts.at(at(group))) + " last ones";
    }
    return incomplete ? "a last one before another" : "";
  }
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }

  Groups groups{partitions, per_group};
  BasicReadyCounters<Atomic> counters{groups};
  int round = 0;
  std::array<int, partitions> data{};
  std::array<int, partitions> lasts{};
  bool incomplete = false;
};

/// What each thread makes ready, one after the other.
using Threads = std::vector<std::vector<int>>;

template <template <typename> class Atomic, int per_group, int before = 1>
Result run(const Threads& threads) {
  using Tested = World<Atomic, per_group, before>;
  std::vector<std::function<void(Tested&)>> bodies;
  for (const std::vector<int>& mine : threads) {
    bodies.push_back([&mine](Tested& world) {
      for (const int partition : mine) world.ready(partition);
    });
  }
  return explore<Tested>({}, bodies, [](Tested& world) { return world.check(); });
}

template <typename T>
using Atomic = test::interleave::Atomic<T>;

void expect_none_fails(const Result& result, std::uint64_t least) {
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_GE(result.executions, least);
}

TEST(ReadyCountersInterleave, OneThreadForEachPartition) {
  expect_none_fails(run<Atomic, 4>({{0}, {1}, {2}, {3}}), 24);
}

TEST(ReadyCountersInterleave, GroupsOfTwoAreApart) { expect_none_fails(run<Atomic, 2>({{0, 3}, {2, 1}}), 6); }

TEST(ReadyCountersInterleave, TheLastGroupIsShorter) { expect_none_fails(run<Atomic, 3>({{3, 0}, {1}, {2}}), 12); }

TEST(ReadyCountersInterleave, LaterRoundsAreAsTheFirst) {
  expect_none_fails(run<Atomic, 4, 0>({{2, 0}, {1, 3}}), 6);
  expect_none_fails(run<Atomic, 4, 5>({{2, 0}, {1, 3}}), 6);
}

// Spoilt versions, which must be found.

/// What others did before is not visible to the last one.
template <typename T>
struct Unordered : Atomic<T> {
  using Atomic<T>::Atomic;
  T fetch_add(T value, std::memory_order) noexcept { return Atomic<T>::fetch_add(value, std::memory_order_relaxed); }
};

/// Only the writes of those that are last themselves are handed on.
template <typename T>
struct Keeping : Atomic<T> {
  using Atomic<T>::Atomic;
  T fetch_add(T value, std::memory_order) noexcept { return Atomic<T>::fetch_add(value, std::memory_order_acquire); }
};

/// Two may count as one.
template <typename T>
struct Careless : Atomic<T> {
  using Atomic<T>::Atomic;
  T fetch_add(T value, std::memory_order order) noexcept {
    const T before = Atomic<T>::load(std::memory_order_acquire);
    Atomic<T>::store(before + value, order == std::memory_order_acq_rel ? std::memory_order_release : order);
    return before;
  }
};

TEST(ReadyCountersInterleave, FindsThatPartitionsAreNotHandedOver) {
  EXPECT_NE((run<Unordered, 4>({{0, 1}, {2, 3}}).failure.find("may still be at")), std::string::npos);
  EXPECT_NE((run<Keeping, 4>({{0, 1}, {2, 3}}).failure.find("may still be at")), std::string::npos);
}

TEST(ReadyCountersInterleave, FindsThatTwoMayCountAsOne) {
  EXPECT_NE((run<Careless, 4>({{0, 1}, {2, 3}}).failure.find(" last ones")), std::string::npos);
}

// With real threads, and orders that are drawn by chance.

TEST(ReadyCounters, EachGroupHasOneLastInEachRound) {
  constexpr int threads = 4;
  constexpr int all = 250;
  const int rounds = 40 * test::effort();
  std::mt19937_64 random(test::new_seed());
  for (const int per_group : {1, 3, 64, 250, 1000}) {
    const Groups groups(all, per_group);
    ReadyCounters counters(groups);
    std::vector<int> data(all);
    std::vector<int> order(all);
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::atomic<int>> lasts(static_cast<std::size_t>(groups.count()));
    std::atomic<int> wrong{0};
    int round = 0;
    const auto next = [&]() noexcept {
      if (round > 0) {
        wrong += static_cast<int>(std::ranges::count_if(lasts, [&](const auto& one) { return one != round; }));
      }
      ++round;
      counters.next_round();
      std::ranges::shuffle(order, random);
    };
    next();
    std::barrier barrier(threads, next);
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        for (int i = 0; i < rounds; ++i) {
          for (std::size_t at = static_cast<std::size_t>(thread); at < order.size(); at += threads) {
            const int partition = order[at];
            data[static_cast<std::size_t>(partition)] = round;
            const int group = groups.of(partition);
            if (!counters.arrive(group)) continue;
            ++lasts[static_cast<std::size_t>(group)];
            const Range range = groups.partitions_of(group);
            for (int one = range.first; one < range.end; ++one)
              wrong += data[static_cast<std::size_t>(one)] != round ? 1 : 0;
          }
          barrier.arrive_and_wait();
        }
      });
    }
    running.clear();
    EXPECT_EQ(wrong, 0) << "groups of " << per_group;
    EXPECT_EQ(round, rounds + 1);
  }
}

}  // namespace
}  // namespace raddle::partitioned
