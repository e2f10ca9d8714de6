// SPDX-License-Identifier: BSD-3-Clause
#include "platform/background.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace raddle::platform {
namespace {

/// Until it holds, or far too long has gone by. @returns whether it does
template <typename Condition>
bool comes(Condition&& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST(Background, GoesOnUntilNoMoreStepsAreNeeded) {
  Background background;
  std::atomic<int> steps{0};
  std::atomic<int> others{0};
  background.add([&] { return ++steps < 3; });
  background.add([&] {
    ++others;
    return true;
  });
  EXPECT_TRUE(comes([&] { return steps == 3; }));
  const int before = others;
  EXPECT_TRUE(comes([&] { return others > before + 2; }));
  EXPECT_EQ(steps, 3);
  background.end();
}

TEST(Background, HurriesForAWhile) {
  using Clock = std::chrono::steady_clock;
  Background background;
  std::atomic<int> steps{0};
  background.add([&] {
    ++steps;
    return true;
  });
  EXPECT_TRUE(comes([&] { return steps > 0; }));
  auto shortest = Clock::duration::max();
  for (int i = 0; i < 20; ++i) {  // a machine that is busy may be late, but not always
    const int before = steps;
    const auto begin = Clock::now();
    background.hurry();
    while (steps < before + 4) std::this_thread::yield();
    shortest = std::min(shortest, Clock::now() - begin);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_LT(shortest, std::chrono::milliseconds(20)) << "less than one usual pause";
  background.end();
}

TEST(Background, NoStepIsMadeAfterItsEnd) {
  Background background;
  int steps = 0;  // plain: only what end() promises protects it
  std::atomic<bool> begun{false};
  background.add([&] {
    ++steps;
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the end comes meanwhile
    return true;
  });
  EXPECT_TRUE(comes([&] { return begun.load(); }));
  background.end();
  const int last = steps;
  background.add([&] {
    ++steps;
    return false;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));  // three pauses
  background.end();
  EXPECT_EQ(steps, last);
}

TEST(Background, MayEndBeforeItBegins) {
  Background background;
  background.end();
  background.end();
  background.add([] { return true; });
}

TEST(Background, StepsMayAddOthersAndThreadsAddThemAtOnce) {
  Background background;
  std::atomic<int> made{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        background.add([&] {
          background.add([&] {
            ++made;
            return false;
          });
          return false;
        });
      });
    }
  }
  EXPECT_TRUE(comes([&] { return made == 4; }));
  background.end();
}

TEST(Background, LeavesSignalsToTheProgramsThreads) {
  Background background;
  std::atomic<int> blocked{-1};
  background.add([&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked = sigismember(&mask, SIGUSR1);
    return false;
  });
  EXPECT_TRUE(comes([&] { return blocked != -1; }));
  EXPECT_EQ(blocked, 1);
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGUSR1), 0);
  background.end();
}

}  // namespace
}  // namespace raddle::platform
