// SPDX-License-Identifier: BSD-3-Clause
// Exported by the executable, so that all that is loaded finds these and not the C library's, to which what is of no
// copy goes on. atexit() and at_quick_exit() are in each file itself, and call them.
#include "ranks/last_calls.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace raddle::ranks {
namespace {

struct Call {
  void (*function)(void*);
  void* argument;
};
using Calls = std::map<const void*, std::vector<Call>>;

std::mutex guard;

/// No other thread is in there when one forks: the child could never enter.
[[maybe_unused]] const int kept_from_children =
    pthread_atfork([] { guard.lock(); }, [] { guard.unlock(); }, [] { guard.unlock(); });

/// Never destroyed: what ends after main asks for them.
Calls& at_exit() {
  static Calls& calls = *new Calls;
  return calls;
}

Calls& at_quick_exit() {
  static Calls& calls = *new Calls;
  return calls;
}

void call_all(Calls& calls, const void* base) {
  for (;;) {
    Call last{};
    {
      const std::lock_guard lock(guard);
      const auto found = calls.find(base);
      if (found == calls.end() || found->second.empty()) return;
      last = found->second.back();
      found->second.pop_back();  // first: it may call exit() itself
    }
    last.function(last.argument);
  }
}

bool keep(Calls& calls, const void* of, Call call) {
  const void* const base = of == nullptr ? nullptr : copy_with(of);
  if (base == nullptr) return false;
  const std::lock_guard lock(guard);
  calls[base].push_back(call);
  return true;
}

}  // namespace

const void* copy_with(const void* address) {
  Dl_info about{};
  if (dladdr(address, &about) == 0 || about.dli_fname == nullptr) return nullptr;
  // How copies are loaded.
  return std::string_view(about.dli_fname).starts_with("/proc/self/fd/") ? about.dli_fbase : nullptr;
}

void call_at_exit(const void* base) { call_all(at_exit(), base); }
void call_at_quick_exit(const void* base) { call_all(at_quick_exit(), base); }

}  // namespace raddle::ranks

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): they are the C library's
[[gnu::visibility("default")]] int __cxa_atexit(void (*function)(void*), void* argument, void* of) {
  using namespace raddle::ranks;
  if (keep(at_exit(), of, {function, argument})) return 0;
  using Atexit = int (*)(void (*)(void*), void*, void*);
  return reinterpret_cast<Atexit>(dlsym(RTLD_NEXT, "__cxa_atexit"))(function, argument, of);
}

[[gnu::visibility("default")]] int __cxa_at_quick_exit(void (*function)(void*), void* of) {
  using namespace raddle::ranks;
  if (keep(at_quick_exit(), of, {function, nullptr})) return 0;
  using AtQuickExit = int (*)(void (*)(void*), void*);
  return reinterpret_cast<AtQuickExit>(dlsym(RTLD_NEXT, "__cxa_at_quick_exit"))(function, of);
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
