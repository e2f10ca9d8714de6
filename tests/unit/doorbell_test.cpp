// SPDX-License-Identifier: BSD-3-Clause
// The doorbell: in every order of what the one who rings and the one who sleeps do, and with real sleep.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "effort.hpp"
#include "engines/proxy/area.hpp"
#include "interleave.hpp"

namespace raddle::proxy {
namespace {

using test::interleave::explore;

template <typename T>
using Stepped = test::interleave::Atomic<T>;

/// Who would sleep in the kernel until woken goes no further here.
struct Asleep {};

/// Says what the kernel would have done.
struct Asked {
  static inline bool waits = false;
  static inline bool wakes = false;
  static void wait(Stepped<std::uint32_t>& word, std::uint32_t seen, std::chrono::nanoseconds) {
    waits = word.load() == seen;
    if (waits) throw Asleep();
  }
  static void wake(Stepped<std::uint32_t>&) noexcept { wakes = true; }
};

/// Does not say that it sleeps before it looks.
class Careless {
 public:
  void ring() {
    if (asleep_.load() == 0) return;
    rings_.fetch_add(1);
    Asked::wake(rings_);
  }
  template <typename Idle>
  void sleep(std::chrono::nanoseconds most, Idle&& idle) {
    const std::uint32_t seen = rings_.load();
    if (!idle()) return;
    asleep_.store(1);
    Asked::wait(rings_, seen, most);
  }

 private:
  Stepped<std::uint32_t> rings_{0};
  Stepped<std::uint32_t> asleep_{0};
};

template <typename Bell>
struct World {
  World() { Asked::waits = Asked::wakes = false; }
  Bell bell;
  Stepped<int> work{0};
};

template <typename Bell>
test::interleave::Result explore_all() {
  using On = World<Bell>;
  return explore<On>(
      {},
      {[](On& world) {
         world.work.store(1, std::memory_order_release);
         world.bell.ring();
       },
       [](On& world) {
         try {
           world.bell.sleep(std::chrono::nanoseconds(1),
                            [&] { return world.work.load(std::memory_order_acquire) == 0; });
         } catch (const Asleep&) {  // NOLINT(bugprone-empty-catch): that it would sleep is all there is to know
         }
       }},
      [](On&) -> std::string { return Asked::waits && !Asked::wakes ? "nobody wakes the sleeper" : ""; });
}

TEST(Doorbell, WakesWhoSleepsInEveryOrder) {
  const auto result = explore_all<BasicDoorbell<Stepped, Asked>>();
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.failure, "");
}

TEST(Doorbell, ACarelessOneWouldBeFoundOut) { EXPECT_NE(explore_all<Careless>().failure, ""); }

/// A ring that got lost would be a sleep of ten seconds, and the test's limit is six of those.
TEST(Doorbell, LosesNoRing) {
  Doorbell bell;
  std::atomic<int> asked{0};
  std::atomic<int> done{0};
  const int rounds = 20'000 * test::effort();
  std::thread sleeper([&] {
    while (done.load() < rounds) {
      if (done.load() < asked.load()) {
        done.fetch_add(1);
      } else {
        bell.sleep(std::chrono::seconds(10), [&] { return done.load() == asked.load(); });
      }
    }
  });
  for (int i = 0; i < rounds; ++i) {
    asked.fetch_add(1);
    bell.ring();
    while (i % 3 == 0 && done.load() <= i) std::this_thread::yield();
  }
  sleeper.join();
  EXPECT_EQ(done.load(), rounds);
}

TEST(Doorbell, LetsWhoIsNotRungSleepOnlySoLong) {
  Doorbell bell;
  EXPECT_FALSE(bell.sleep(std::chrono::milliseconds(1), [] { return true; }));
  EXPECT_TRUE(bell.sleep(std::chrono::seconds(50), [] { return false; }));  // there is something to do
  EXPECT_FALSE(bell.sleeps());
}

}  // namespace
}  // namespace raddle::proxy
