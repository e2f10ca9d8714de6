// SPDX-License-Identifier: BSD-3-Clause
// Threads of Raddle's own. Signals are the program's threads': one that it waits for must not come to another.
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace raddle::platform {

/// A thread that takes no signals. @throws std::system_error as std::thread does
template <typename Run>
std::thread quiet_thread(Run&& run) {
  struct AllBlocked {
    AllBlocked() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    AllBlocked(const AllBlocked&) = delete;
    AllBlocked& operator=(const AllBlocked&) = delete;
    ~AllBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    sigset_t before{};
  };
  const AllBlocked blocked;  // a thread begins with the mask of the one that makes it
  return std::thread(std::forward<Run>(run));
}

}  // namespace raddle::platform
