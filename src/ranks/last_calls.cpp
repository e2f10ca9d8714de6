// SPDX-License-Identifier: BSD-3-Clause
// Exported by the executable, so that all that is loaded finds these and not the C library's, to which what is of no
// copy goes on. atexit() and at_quick_exit() are in each file itself, and call them.
#include <dlfcn.h>

#include <mutex>
#include <string_view>
#include <vector>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {
namespace {

void call_all(Process& process, std::vector<LastCall> Process::* calls) {
  for (;;) {
    LastCall last{};
    {
      const std::lock_guard lock(process.guard);
      if ((process.*calls).empty()) return;
      last = (process.*calls).back();
      (process.*calls).pop_back();  // first: it may call exit() itself
    }
    last.function(last.argument, process.status);
  }
}

bool keep(std::vector<LastCall> Process::* calls, const void* of, LastCall call) {
  if (current == nullptr || of == nullptr || !is_in_a_copy(of)) return false;
  const std::lock_guard lock(current->guard);
  (current->*calls).push_back(call);
  return true;
}

/// Of the calling thread. A thread that ends by itself calls them as well.
struct ThreadCalls {
  std::vector<LastCall> calls;

  void call() {
    while (!calls.empty()) {
      const LastCall last = calls.back();
      calls.pop_back();  // first: it may register another one
      last.function(last.argument, 0);
    }
  }
  ~ThreadCalls() { call(); }
};
thread_local ThreadCalls thread_calls;

/// The status goes to functions that take none, which calling conventions allow.
auto with_status(void* function) { return reinterpret_cast<void (*)(void*, int)>(function); }

}  // namespace

bool is_in_a_copy(const void* address) {
  Dl_info about{};
  if (dladdr(address, &about) == 0 || about.dli_fname == nullptr) return false;
  return std::string_view(about.dli_fname).starts_with("/proc/self/fd/");  // how copies are loaded
}

void call_at_exit(Process& process) { call_all(process, &Process::at_exit); }
void call_at_thread_end() { thread_calls.call(); }
void call_at_quick_exit(Process& process) { call_all(process, &Process::at_quick_exit); }

}  // namespace raddle::ranks

using raddle::ranks::keep;
using raddle::ranks::Process;
using raddle::ranks::with_status;

// NOLINTBEGIN(bugprone-reserved-identifier): they are the C library's
RADDLE_OWN int __cxa_atexit(void (*function)(void*), void* argument, void* of) {
  if (keep(&Process::at_exit, of, {with_status(reinterpret_cast<void*>(function)), argument})) return 0;
  return raddle::ranks::libc<int(void (*)(void*), void*, void*), "__cxa_atexit">()(function, argument, of);
}

// A process that exits destroys the variables of its thread before all else, and a thread of a rank ends later.
RADDLE_OWN int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* of) {
  if (raddle::ranks::current != nullptr && raddle::ranks::is_in_a_copy(of)) {
    raddle::ranks::thread_calls.calls.push_back({with_status(reinterpret_cast<void*>(function)), object});
    return 0;
  }
  return raddle::ranks::libc<int(void (*)(void*), void*, void*), "__cxa_thread_atexit_impl">()(function, object, of);
}

RADDLE_OWN int __cxa_at_quick_exit(void (*function)(void*), void* of) {
  if (keep(&Process::at_quick_exit, of, {with_status(reinterpret_cast<void*>(function)), nullptr})) return 0;
  return raddle::ranks::libc<int(void (*)(void*), void*), "__cxa_at_quick_exit">()(function, of);
}
// NOLINTEND(bugprone-reserved-identifier)

RADDLE_OWN int on_exit(void (*function)(int, void*), void* argument) noexcept {
  // The list has the argument first.
  struct Pair {
    void (*function)(int, void*);
    void* argument;
  };
  if (!raddle::ranks::is_in_a_copy(__builtin_return_address(0))) return RADDLE_LIBC(on_exit, function, argument);
  auto* const pair = new Pair{function, argument};
  const auto call = [](void* given, int status) {
    const Pair kept = *static_cast<Pair*>(given);
    delete static_cast<Pair*>(given);
    kept.function(status, kept.argument);
  };
  keep(&Process::at_exit, __builtin_return_address(0), {call, pair});
  return 0;
}
