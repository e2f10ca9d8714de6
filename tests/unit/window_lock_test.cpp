// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <thread>
#include <vector>

#include "endpoints/windows/control.hpp"
#include "interleave.hpp"

namespace raddle::endpoints {
namespace {

TEST(WindowLock, IsSharedOrHasOneOwner) {
  WindowLock lock;
  ASSERT_TRUE(lock.try_lock(false));
  ASSERT_TRUE(lock.try_lock(false));
  EXPECT_FALSE(lock.try_lock(true));
  lock.release(false);
  EXPECT_FALSE(lock.try_lock(true));
  lock.release(false);
  ASSERT_TRUE(lock.try_lock(true));
  EXPECT_FALSE(lock.try_lock(true));
  EXPECT_FALSE(lock.try_lock(false));
  lock.release(true);
  EXPECT_TRUE(lock.try_lock(false));
}

/// Forgets what memory order it is told.
template <typename T>
class Unordered : public test::interleave::Atomic<T> {
 public:
  using Base = test::interleave::Atomic<T>;
  using Base::Base;
  void store(T value, std::memory_order) noexcept { Base::store(value, std::memory_order_relaxed); }
  T fetch_sub(T value, std::memory_order) noexcept { return Base::fetch_sub(value, std::memory_order_relaxed); }
};

/// Two that read and one that writes, in every order; a write beside another access is a race.
template <template <typename> class Atomic>
test::interleave::Result try_in_every_order() {
  struct World {
    BasicWindowLock<Atomic> lock;
    int data = 0;
    int entered = 0;
  };
  const auto write = [](World& w) {
    if (!w.lock.try_lock(true)) return;
    test::interleave::plain_write(&w.data);
    w.lock.release(true);
  };
  const auto read = [](World& w) {
    if (!w.lock.try_lock(false)) return;
    test::interleave::plain_read(&w.data);
    w.lock.release(false);
  };
  return test::interleave::explore<World>({}, {write, read, read}, [](World&) { return ""; });
}

TEST(WindowLock, KeepsAWriterFromReadersInEveryOrder) {
  const auto result = try_in_every_order<test::interleave::Atomic>();
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_NE(try_in_every_order<Unordered>().failure, "");
}

TEST(WindowLock, KeepsWritersApart) {
  constexpr int threads = 4;
  constexpr int turns = 5'000;
  WindowLock lock;
  std::uint64_t first = 0;  // plain: ThreadSanitizer looks too
  std::uint64_t second = 0;
  std::latch start(threads);
  std::vector<std::thread> team;
  for (int i = 0; i < threads; ++i) {
    team.emplace_back([&, writes = i % 2 == 0] {
      start.arrive_and_wait();
      for (int turn = 0; turn < turns; ++turn) {
        while (!lock.try_lock(writes)) std::this_thread::yield();
        if (writes) {
          ++first;
          ++second;
        } else {
          EXPECT_EQ(first, second);
        }
        lock.release(writes);
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(first, std::uint64_t{threads / 2} * turns);
}

TEST(WindowControl, KeepsThePostOfEachRank) {
  constexpr std::size_t ranks = 70;
  struct alignas(WindowControl) Line {
    std::byte bytes[alignof(WindowControl)];
  };
  static_assert(WindowControl::bytes(1) == 2 * sizeof(Line) && WindowControl::bytes(64) == 2 * sizeof(Line));
  std::vector<Line> memory(WindowControl::bytes(ranks) / sizeof(Line));
  WindowControl& control = *WindowControl::make(memory.front().bytes, ranks);
  control.post(0).tell();
  control.post(ranks - 1).tell();
  for (std::size_t i = 0; i < ranks; ++i) EXPECT_EQ(control.post(i).is(), i == 0 || i == ranks - 1) << i;
  control.post(0).take();
  EXPECT_FALSE(control.post(0).is());
  EXPECT_EQ(control.completes.load(), 0U);
  EXPECT_TRUE(control.lock.try_lock(true));
}

/// Two that let each other in, as ranks do by MPI_Win_post, start, complete and wait.
TEST(WindowControl, LetsEachOtherInTurn) {
  constexpr int rounds = 5'000;
  Told post;
  std::atomic<std::uint32_t> completes{0};
  int exposed = 0;  // plain: ThreadSanitizer looks too
  std::thread origin([&] {
    for (int round = 0; round < rounds; ++round) {
      while (!post.is()) std::this_thread::yield();
      post.take();
      ++exposed;
      completes.fetch_add(1, std::memory_order_release);
    }
  });
  for (int round = 0; round < rounds; ++round) {
    EXPECT_EQ(exposed, round);
    post.tell();
    while (completes.load(std::memory_order_acquire) == 0) std::this_thread::yield();
    completes.store(0, std::memory_order_relaxed);
  }
  origin.join();
  EXPECT_EQ(exposed, rounds);
}

}  // namespace
}  // namespace raddle::endpoints
