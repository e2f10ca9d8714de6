// SPDX-License-Identifier: BSD-3-Clause
#include "check/thread.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace raddle::check {

std::atomic<bool> on{false};
ProcessState process;

namespace {
thread_local constinit Thread* mine = nullptr;
}

std::mutex& lock() {
  static auto* const made = new std::mutex;
  return *made;
}

std::vector<Thread*>& threads() {
  static auto* const made = new std::vector<Thread*>;
  return *made;
}

Thread& me() {
  if (mine == nullptr) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    auto* const made = new Thread;  // others may look at it when the thread has ended
    made->tid = syscall(SYS_gettid);
    made->name = name;
    const std::lock_guard alone(lock());
    made->index = static_cast<int>(threads().size());
    threads().push_back(made);
    mine = made;
  }
  return *mine;
}

}  // namespace raddle::check
