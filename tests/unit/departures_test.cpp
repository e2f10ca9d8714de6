// SPDX-License-Identifier: BSD-3-Clause
// Processes that share memory, of which one ends: what this one, the first of them, is told.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "child.hpp"
#include "node/process_watch.hpp"
#include "node/shared_segment.hpp"

namespace raddle::node {
namespace {

using test::Child;

class Departing : public testing::Test {
 protected:
  static constexpr std::size_t processes = 3;

  /// The others begin with this.
  void begin(const std::function<void(Departures&, std::size_t)>& first) {
    for (std::size_t self = 1; self < processes; ++self) {
      others_.push_back(std::make_unique<Child>([&, self] {
        Departures theirs(memory_.bytes().data(), processes, self);
        first(theirs, self);
        return test::wait_for_the_end();
      }));
    }
    std::vector<ProcessId> all{this_process()};
    for (const auto& other : others_) all.push_back({other->pid(), 0});
    mine_.watch(all);
  }
  void end(std::size_t process) {
    others_[process - 1]->end();
    others_[process - 1]->await_end();
  }
  [[nodiscard]] bool has_left(std::size_t process) const { return mine_.left(process).load() != 0; }

  SharedSegment memory_ = SharedSegment::create(Departures::memory(processes));
  Departures mine_{memory_.bytes().data(), processes, 0};
  std::vector<std::unique_ptr<Child>> others_;
};

TEST_F(Departing, OneThatEndsWithoutAWordIsLost) {
  begin([](Departures&, std::size_t) {});
  EXPECT_EQ(mine_.lost(), std::nullopt);
  end(2);
  EXPECT_EQ(mine_.lost(), 2U);
  EXPECT_EQ(mine_.lost(), 2U) << "it stays lost";
  EXPECT_FALSE(has_left(2));
}

TEST_F(Departing, OneThatHasLeftMayEnd) {
  begin([](Departures& theirs, std::size_t) { theirs.leave(); });
  while (!has_left(1) || !has_left(2)) usleep(1000);
  EXPECT_FALSE(has_left(0));
  end(1);
  EXPECT_EQ(mine_.lost(), std::nullopt);
  end(2);
  EXPECT_EQ(mine_.lost(), std::nullopt);
}

TEST_F(Departing, OneThatHasLeftHidesNoneThatIsLost) {
  begin([](Departures& theirs, std::size_t process) {
    if (process == 1) theirs.leave();
  });
  while (!has_left(1)) usleep(1000);
  end(1);
  end(2);
  EXPECT_EQ(mine_.lost(), 2U);
}

TEST(Departures, NobodyIsLostWhereNobodyWatches) {
  const SharedSegment memory = SharedSegment::create(Departures::memory(2));
  Departures alone(memory.bytes().data(), 2, 0);
  EXPECT_EQ(alone.lost(), std::nullopt);
  alone.leave();
  EXPECT_NE(alone.left(0).load(), 0U);
  EXPECT_EQ(alone.left(1).load(), 0U);
}

}  // namespace
}  // namespace raddle::node
