// SPDX-License-Identifier: BSD-3-Clause
// Other processes for tests of what processes do to one another.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <utility>

namespace raddle::test {

/// A process that runs a function and ends with what it returns, 250 if it throws. Killed with the object.
class Child {
 public:
  explicit Child(const std::function<int()>& body) : pid_(fork()) {
    if (pid_ != 0) return;
    alarm(50);  // ends before the limit of the test does, whatever it waits for
    try {
      _exit(body());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in a child: %s\n", error.what());
      _exit(250);
    }
  }

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    end();
    static_cast<void>(join());
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

  void end() const { kill(pid_, SIGKILL); }

  /// Waits until it is a zombie, and leaves it one.
  void await_end() const {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }

  /// Waits for its end. @returns what its function returned, -1 if it was killed
  int join() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_;
};

/// Whether a process may be left without file descriptors: the undefined behaviour sanitizer opens some for its checks.
#ifdef __SANITIZE_ADDRESS__
constexpr bool needs_descriptors = true;
#else
constexpr bool needs_descriptors = false;
#endif

/// What a child does that is there to be looked at.
inline int wait_for_the_end() { return pause(); }

}  // namespace raddle::test
