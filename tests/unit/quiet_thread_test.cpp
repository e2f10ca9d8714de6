// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "platform/background.hpp"

namespace raddle::platform {
namespace {

bool takes(int signal) {
  sigset_t blocked{};
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, signal) == 0;
}

TEST(QuietThread, LeavesSignalsToTheProgram) {
  bool quiet = false;
  quiet_thread([&] { quiet = !takes(SIGUSR1) && !takes(SIGINT) && !takes(SIGTERM); }).join();
  EXPECT_TRUE(quiet);
  EXPECT_TRUE(takes(SIGUSR1));
  EXPECT_TRUE(takes(SIGINT));
}

}  // namespace
}  // namespace raddle::platform
