// SPDX-License-Identifier: BSD-3-Clause
#include "core/barrier.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace raddle::bench {
namespace {

// Plain variables between barriers: ThreadSanitizer proves that the barrier orders them.
TEST(ThreadBarrier, OrdersWhatIsWrittenBeforeIt) {
  constexpr int threads = 3;
  constexpr int rounds = 2000;
  ThreadBarrier barrier(threads, impatient);
  std::vector<int> written(threads, -1);
  std::vector<int> wrong(threads, 0);
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t) {
    team.emplace_back([&, t] {
      for (int round = 0; round < rounds; ++round) {
        written[static_cast<std::size_t>(t)] = round;
        barrier.arrive_and_wait();
        for (const int value : written) wrong[static_cast<std::size_t>(t)] += value != round ? 1 : 0;
        barrier.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : team) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(threads, 0));
}

}  // namespace
}  // namespace raddle::bench
