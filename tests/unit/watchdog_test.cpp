// SPDX-License-Identifier: BSD-3-Clause
#include "core/watchdog.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "core/whereabouts.hpp"

namespace raddle::bench {
namespace {

using std::chrono::milliseconds;

TEST(Watchdog, TellsWhoWaitsWhereWhenNothingMoves) {
  Board::instance().sit(
      {.process = 3, .thread = 1, .context = 7, .flow = 2, .party = 1, .side = Side::receiver, .helper_cpu = -1});
  Board::instance().stage("measuring nothing");
  here().enter("MPI_Recv", 4, 9);
  std::promise<std::string> barked;
  {
    const Watchdog watchdog(0.05, [&](const std::string& report) { barked.set_value(report); });
    auto report = barked.get_future();
    ASSERT_EQ(report.wait_for(std::chrono::seconds(20)), std::future_status::ready);
    const std::string text = report.get();
    EXPECT_NE(text.find("nothing moved for 0.05 s; measuring nothing"), std::string::npos) << text;
    EXPECT_NE(text.find("process 3, thread 1 (flow 2, party 1): in MPI_Recv, peer rank 4, tag 9"), std::string::npos)
        << text;
  }
  Board::instance().leave();
}

TEST(Watchdog, IsSilentWhileSomethingMoves) {
  bool barked = false;
  {
    const Watchdog watchdog(5, [&](const std::string&) { barked = true; });
    for (int i = 0; i < 20; ++i) {
      Board::instance().moved();
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  EXPECT_FALSE(barked);
}

TEST(Board, KeepsAPlaceForEachThreadAndGivesItToTheNext) {
  Board& board = Board::instance();
  const auto sit = [&](int thread) {
    std::thread([&board, thread] {
      board.sit({.process = 0,
                 .thread = thread,
                 .context = thread,
                 .flow = 0,
                 .party = 0,
                 .side = Side::sender,
                 .helper_cpu = -1});
      here().enter("MPI_Barrier");
      EXPECT_EQ(board.lines().size(), 2U);  // the stage and this thread
      EXPECT_NE(board.lines().back().find("in MPI_Barrier"), std::string::npos);
      board.leave();
    }).join();
  };
  sit(0);
  sit(1);
  EXPECT_EQ(board.lines().size(), 1U);
}

}  // namespace
}  // namespace raddle::bench
