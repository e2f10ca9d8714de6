// SPDX-License-Identifier: BSD-3-Clause
// A thread for what must go on although no thread of the program comes by. Seldom needed, so it looks seldom. Knows no
// MPI.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace raddle::platform {

class Background {
 public:
  /// A step of something. @returns whether more are needed
  using Step = std::function<bool()>;

  /// The process's. Its thread begins with the first step.
  static Background& get();

  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// What becomes of an exception of a step, which no caller is there to get. Before the first step.
  using Failed = void (*)(const std::exception& error);
  void when_failed(Failed failed) { failed_ = failed; }

  /// Does nothing after end().
  void add(Step step);
  /// Something waits for a step. For a while they come every 0.2 ms. Any thread.
  void hurry();
  /// Waits until no step is being made; those that are left are forgotten.
  void end();

 private:
  void run();
  void make_steps();

  std::mutex guard_;
  std::condition_variable news_;
  std::vector<Step> steps_;
  std::thread thread_;
  std::atomic<int> hurried_{0};  ///< of the next steps so many
  bool ending_ = false;
  Failed failed_ = nullptr;
};

// Threads of Raddle's own. Signals are the program's threads': one that it waits for must not come to another.

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
