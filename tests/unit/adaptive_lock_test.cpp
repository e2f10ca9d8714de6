// SPDX-License-Identifier: BSD-3-Clause
#include "platform/adaptive_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace raddle::platform {
namespace {

using namespace std::chrono_literals;

/// Of this thread: seconds on a CPU.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class AdaptiveLockTest : public ::testing::TestWithParam<WhenLong> {};
INSTANTIATE_TEST_SUITE_P(Either, AdaptiveLockTest, ::testing::Values(WhenLong::yield, WhenLong::sleep));

TEST_P(AdaptiveLockTest, IsFreeOrTaken) {
  AdaptiveLock lock(GetParam());
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_unless_wanted());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_unless_wanted());
  lock.unlock();
}

TEST_P(AdaptiveLockTest, LetsOneThreadInAtATime) {
  constexpr int threads = 6;
  constexpr int turns = 3'000;
  AdaptiveLock lock(GetParam());
  std::uint64_t first = 0;  // plain: ThreadSanitizer looks too
  std::uint64_t second = 0;
  int torn = 0;
  std::latch start(threads);
  std::vector<std::thread> team;
  for (int i = 0; i < threads; ++i) {
    team.emplace_back([&] {
      start.arrive_and_wait();
      for (int turn = 0; turn < turns; ++turn) {
        const std::lock_guard guard(lock);
        if (first != second) ++torn;
        ++first;
        if (turn % 300 == 0) std::this_thread::sleep_for(200us);  // long enough for others to sleep
        ++second;
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(first, std::uint64_t{threads} * turns);
  EXPECT_EQ(second, first);
  EXPECT_FALSE(lock.wanted());
}

TEST(AdaptiveLock, WhoWaitsLongNeedsNoCpu) {
  AdaptiveLock lock;
  lock.lock();
  double used = -1;
  std::thread waiting([&] {
    const double before = cpu_seconds();
    const std::lock_guard guard(lock);
    used = cpu_seconds() - before;
  });
  while (!lock.wanted()) std::this_thread::yield();
  constexpr std::chrono::duration<double> held = 200ms;
  std::this_thread::sleep_for(held);
  lock.unlock();
  waiting.join();
  EXPECT_LT(used, held.count() / 2);
}

TEST(AdaptiveLock, IsLeftToOneWhoWaits) {
  AdaptiveLock lock;
  lock.lock();
  std::atomic<bool> in{false};
  std::atomic<bool> may_go{false};
  std::thread waiting([&] {
    const std::lock_guard guard(lock);
    in = true;
    may_go.wait(false);
  });
  while (!lock.wanted()) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);  // asleep
  lock.unlock();
  while (!in) {
    if (!lock.try_lock_unless_wanted()) continue;
    EXPECT_TRUE(in);  // only after the other one
    lock.unlock();
  }
  may_go = true;
  may_go.notify_one();
  waiting.join();
  EXPECT_FALSE(lock.wanted());
}

}  // namespace
}  // namespace raddle::platform
