// SPDX-License-Identifier: BSD-3-Clause
#include "platform/last_words.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

namespace raddle::platform {
namespace {

using Clock = std::chrono::steady_clock;

/// A process that says something last. Its clock is that of all processes.
struct Speaker {
  Speaker(int to, int told) : process(fork()) {
    if (process != 0) return;
    dup2(to, STDERR_FILENO);
    last_words("farewell\n");
    const Clock::time_point end = Clock::now();
    _exit(write(told, &end, sizeof end) == sizeof end ? 0 : 1);
  }
  pid_t process;
};

TEST(LastWords, AreWaitedForUntilTheyWereRead) {
  std::array<int, 2> words{};
  std::array<int, 2> told{};
  ASSERT_EQ(pipe(words.data()), 0);
  ASSERT_EQ(pipe(told.data()), 0);
  const Clock::time_point begun = Clock::now();
  const Speaker speaker(words[1], told[1]);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // longer than the moment that always passes
  std::array<char, 64> text{};
  const Clock::time_point heard = Clock::now();
  EXPECT_EQ(read(words[0], text.data(), text.size()), 9);
  Clock::time_point end;
  ASSERT_EQ(read(told[0], &end, sizeof end), static_cast<ssize_t>(sizeof end));
  EXPECT_EQ(waitpid(speaker.process, nullptr, 0), speaker.process);
  for (const int one : {words[0], words[1], told[0], told[1]}) close(one);
  if (heard - begun > std::chrono::milliseconds(900))
    GTEST_SKIP() << "this machine is so busy that nobody waits so long";
  EXPECT_GT(end, heard);
}

}  // namespace
}  // namespace raddle::platform
