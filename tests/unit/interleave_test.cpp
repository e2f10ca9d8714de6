// SPDX-License-Identifier: BSD-3-Clause
// What the tester of interleavings must find, and must not: programs whose outcomes the C++ standard settles.
#include "interleave.hpp"

#include <gtest/gtest.h>

#include <string>

namespace raddle::test::interleave {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto sequential = std::memory_order_seq_cst;

struct World {
  Atomic<int> x{0};
  Atomic<int> y{0};
  int first = -1;
  int second = -1;
  int data = 0;
};

/// Two threads that do so many accesses each, in all orders.
Result orders(const Options& options) {
  const auto thrice = [](World& w) {
    for (int i = 0; i < 3; ++i) w.x.fetch_add(1, relaxed);
  };
  return explore<World>(options, {thrice, thrice}, [](World& w) { return w.x.load() == 6 ? "" : "lost"; });
}

TEST(Interleave, RunsEveryOrderOnce) {
  const Result all = orders({.stale = false});
  EXPECT_EQ(all.failure, "");
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.executions, 20U);  // 6 over 3
  EXPECT_EQ(orders({.stale = false, .preemptions = 0}).executions, 2U);
  EXPECT_EQ(orders({.stale = false, .preemptions = 1}).executions, 6U);
  const auto twice = [](World& w) {
    w.x.store(1);
    w.y.store(1);
  };
  const auto nothing = [](World&) { return ""; };
  EXPECT_EQ(explore<World>({.stale = false}, {twice, twice, twice}, nothing).executions, 90U);  // 6! / (2! 2! 2!)
}

TEST(Interleave, GivesUpWhereToldTo) {
  const Result some = orders({.stale = false, .most = 7});
  EXPECT_EQ(some.executions, 7U);
  EXPECT_FALSE(some.complete);
}

TEST(Interleave, FindsALostUpdateAndTellsHow) {
  const auto increment = [](World& w) { w.x.store(w.x.load() + 1); };
  const Result result =
      explore<World>({.stale = false}, {increment, increment}, [](World& w) { return w.x.load() == 2 ? "" : "lost"; });
  EXPECT_EQ(result.failure.substr(0, 5), "lost\n");
  EXPECT_NE(result.failure.find("thread 1 stores place 0: 1"), std::string::npos) << result.failure;
}

Result message(std::memory_order store, std::memory_order load, bool stale = true) {
  return explore<World>({.stale = stale},
                        {[store](World& w) {
                           plain_write(&w.data);
                           w.data = 7;
                           w.x.store(1, relaxed);
                           w.y.store(1, store);
                         },
                         [load](World& w) {
                           w.first = w.y.load(load);
                           w.second = w.x.load(relaxed);
                           if (w.first == 0 || w.second == 0) return;
                           plain_read(&w.data);
                         }},
                        [](World& w) { return w.first == 1 && w.second == 0 ? "came too late" : ""; });
}

TEST(Interleave, KnowsReleaseAndAcquire) {
  EXPECT_EQ(message(release, acquire).failure, "");
  EXPECT_NE(message(relaxed, acquire).failure, "");
  EXPECT_NE(message(release, relaxed).failure, "");
  EXPECT_EQ(message(relaxed, relaxed, false).failure.find("came too late"), std::string::npos);
}

TEST(Interleave, FindsRacesOfOrdinaryMemory) {
  const auto read = [](World& w) {
    if (w.x.load(acquire) == 1) plain_read(&w.data);
  };
  const auto write = [](World& w) {
    plain_write(&w.data);
    w.x.store(1, release);
  };
  const auto late = [](World& w) {
    w.x.store(1, release);
    plain_write(&w.data);
  };
  const auto nothing = [](World&) { return ""; };
  EXPECT_EQ(explore<World>({}, {write, read}, nothing).failure, "");
  EXPECT_NE(explore<World>({}, {late, read}, nothing).failure.find("may still be at"), std::string::npos);
  // Two that read and one that writes once both are done; or once one is; or without knowing what they did.
  const auto done = [](World& w) {
    plain_read(&w.data);
    w.x.fetch_add(1, release);
  };
  const auto reuse = [](int readers, std::memory_order load) {
    return [=](World& w) {
      if (w.x.load(load) >= readers) plain_write(&w.data);
    };
  };
  EXPECT_EQ(explore<World>({}, {done, done, reuse(2, acquire)}, nothing).failure, "");
  EXPECT_NE(explore<World>({}, {done, done, reuse(1, acquire)}, nothing).failure, "");
  EXPECT_NE(explore<World>({}, {done, done, reuse(2, relaxed)}, nothing).failure, "");
}

Result both_look(std::memory_order store, std::memory_order load, bool stale = true) {
  return explore<World>({.stale = stale},
                        {[=](World& w) {
                           w.x.store(1, store);
                           w.first = w.y.load(load);
                         },
                         [=](World& w) {
                           w.y.store(1, store);
                           w.second = w.x.load(load);
                         }},
                        [](World& w) { return w.first == 0 && w.second == 0 ? "neither saw the other" : ""; });
}

TEST(Interleave, KnowsThatStoresMayComeAfterLoads) {
  EXPECT_NE(both_look(release, acquire).failure, "");
  EXPECT_EQ(both_look(release, acquire, false).failure, "");
  EXPECT_EQ(both_look(sequential, sequential).failure, "");
}

TEST(Interleave, NeverGoesBackWithinOneAtomic) {
  const Result result = explore<World>({},
                                       {[](World& w) {
                                          w.x.store(1, relaxed);
                                          w.x.store(2, relaxed);
                                        },
                                        [](World& w) {
                                          w.first = w.x.load(relaxed);
                                          w.second = w.x.load(relaxed);
                                        }},
                                       [](World& w) { return w.second >= w.first ? "" : "went back"; });
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.executions, 6U);  // more than orders: older values too
}

TEST(Interleave, ComparesAndExchangesWithTheLastValueOnly) {
  const auto take = [](int& got) {
    return [&got](World& w) {
      int expected = 0;
      got = w.x.compare_exchange_strong(expected, 1, relaxed) ? 1 : 0;
      if (got == 0 && expected != 1) got = 9;
    };
  };
  int one = 0;
  int other = 0;
  const Result result = explore<World>({}, {take(one), take(other)},
                                       [&](World&) { return one + other == 1 ? "" : "not exactly one took it"; });
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.executions, 2U);  // who comes second cannot find the older value
}

TEST(Interleave, GoesOnWithAReleaseThatAnotherThreadCountsUp) {
  const auto result = [](bool counts) {
    return explore<World>({},
                          {[](World& w) {
                             plain_write(&w.data);
                             w.x.store(1, release);
                           },
                           [counts](World& w) {
                             if (counts) {
                               w.x.fetch_add(1, relaxed);
                             } else if (w.x.load(relaxed) == 1) {
                               w.x.store(2, relaxed);
                             }
                           },
                           [](World& w) {
                             if (w.x.load(acquire) == 2) plain_read(&w.data);
                           }},
                          [](World&) { return ""; })
        .failure;
  };
  EXPECT_EQ(result(true), "");
  EXPECT_NE(result(false), "");
}

}  // namespace
}  // namespace raddle::test::interleave
