// SPDX-License-Identifier: BSD-3-Clause
// Processes learn at once how another one has ended.
#include "node/alive.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <new>
#include <optional>

#include "child.hpp"
#include "node/shared_segment.hpp"

namespace raddle::node {
namespace {

class AliveTest : public ::testing::Test {
 protected:
  AliveTest() : memory_(SharedSegment::create(4096)), lock(*new (memory_.bytes().data()) LifeLock) {
    ready = new (memory_.bytes().data() + 1024) std::atomic<int>(0);
  }
  void await_ready() const {
    while (ready->load() == 0) usleep(1000);
  }

 private:
  SharedSegment memory_;

 protected:
  LifeLock& lock;
  std::atomic<int>* ready;
};

TEST_F(AliveTest, AProcessThatIsKilledHasDied) {
  const test::Child child([&] {
    const Alive alive(lock);
    ready->store(1);
    return test::wait_for_the_end();
  });
  await_ready();
  std::atomic<bool> died{false};
  {
    const Watcher watcher(lock, [&] { died = true; });
    EXPECT_FALSE(died);
    child.end();
  }
  EXPECT_TRUE(died);
}

TEST_F(AliveTest, AProcessThatExitsWithoutAWordHasDied) {
  test::Child child([&] {
    const Alive alive(lock);
    ready->store(1);
    _exit(0);
    return 0;
  });
  await_ready();
  std::atomic<bool> died{false};
  {
    const Watcher watcher(lock, [&] { died = true; });
  }
  EXPECT_TRUE(died);
  EXPECT_EQ(child.join(), 0);
}

TEST_F(AliveTest, AProcessThatSaysSoEndsWell) {
  test::Child child([&] {
    std::optional<Alive> alive(lock);
    ready->store(1);
    usleep(1000);
    alive.reset();
    return 0;
  });
  await_ready();
  std::atomic<int> died{0};
  {
    const Watcher watcher(lock, [&] { ++died; });
    const Watcher other(lock, [&] { ++died; });
  }
  EXPECT_EQ(died, 0);
  EXPECT_EQ(child.join(), 0);
}

TEST_F(AliveTest, AllWhoWatchAreTold) {
  const test::Child child([&] {
    const Alive alive(lock);
    ready->store(1);
    return test::wait_for_the_end();
  });
  await_ready();
  std::atomic<int> died{0};
  {
    const Watcher watcher(lock, [&] { ++died; });
    const Watcher other(lock, [&] { ++died; });
    const Watcher third(lock, [&] { ++died; });
    child.end();
  }
  EXPECT_EQ(died, 3);
}

}  // namespace
}  // namespace raddle::node
