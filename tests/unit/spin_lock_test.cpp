// SPDX-License-Identifier: BSD-3-Clause
#include "platform/spin_lock.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <latch>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "child.hpp"
#include "interleave.hpp"

namespace raddle::platform {
namespace {

TEST(SpinLock, IsFreeOrTaken) {
  SpinLock lock;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  {
    const std::lock_guard guard(lock);
    EXPECT_FALSE(lock.try_lock());
  }
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(SpinLock, IsLeftToOneWhoWaitsByThoseWhoComeAgainAndAgain) {
  SpinLock lock;
  lock.lock();
  EXPECT_FALSE(lock.wanted());
  std::atomic<bool> in{false};
  std::atomic<bool> may_go{false};
  std::thread waiting([&] {
    const std::lock_guard guard(lock);
    in = true;
    may_go.wait(false);
  });
  while (!lock.wanted()) std::this_thread::yield();
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
  EXPECT_TRUE(lock.try_lock_unless_wanted());
  lock.unlock();
}

/// Forgets what memory order it is told.
template <typename T>
class Unordered : public test::interleave::Atomic<T> {
 public:
  using Base = test::interleave::Atomic<T>;
  using Base::Base;
  T exchange(T value, std::memory_order) noexcept { return Base::exchange(value, std::memory_order_relaxed); }
  void store(T value, std::memory_order) noexcept { Base::store(value, std::memory_order_relaxed); }
};

/// Two threads that try to get in twice, in every order; two at once are a race.
template <template <typename> class Atomic>
test::interleave::Result try_in_every_order() {
  struct World {
    BasicSpinLock<Atomic> lock;
    int data = 0;
    int entered = 0;
  };
  const auto enter = [](World& w) {
    for (int i = 0; i < 2; ++i) {
      if (!w.lock.try_lock()) continue;
      test::interleave::plain_write(&w.data);
      ++w.entered;
      w.lock.unlock();
    }
  };
  return test::interleave::explore<World>({}, {enter, enter},
                                          [](World& w) { return w.entered >= 2 ? "" : "shut out of a free lock"; });
}

TEST(SpinLock, LetsOneThreadInInEveryOrder) {
  const auto result = try_in_every_order<test::interleave::Atomic>();
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_NE(try_in_every_order<Unordered>().failure, "");
}

TEST(SpinLock, LetsOneThreadInAtATimeAlsoWhereThreadsExceedCores) {
  constexpr int threads = 8;
  constexpr int turns = 20'000;
  SpinLock lock;
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
        if (turn % 1000 == 0) std::this_thread::yield();  // an owner that is not running
        ++second;
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(first, std::uint64_t{threads} * turns);
  EXPECT_EQ(second, first);
}

TEST(SpinLock, WorksBetweenProcesses) {
  struct Shared {
    SpinLock lock;
    std::uint64_t count = 0;
  };
  constexpr std::uint64_t turns = 20'000;
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto& shared = *new (memory) Shared;
  const auto work = [&shared] {
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      const std::lock_guard guard(shared.lock);
      ++shared.count;
    }
    return 0;
  };
  test::Child child(work);
  work();
  EXPECT_EQ(child.join(), 0);
  EXPECT_EQ(shared.count, 2 * turns);
  munmap(memory, sizeof(Shared));
}

}  // namespace
}  // namespace raddle::platform
