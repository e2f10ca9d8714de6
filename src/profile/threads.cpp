// SPDX-License-Identifier: BSD-3-Clause
#include "profile/threads.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "profile/call.hpp"
#include "profile/clock.hpp"
#include "profile/locks.hpp"
#include "profile/memory.hpp"

namespace raddle::profile {

thread_local constinit Local* mine = nullptr;
std::uint64_t reading_costs = 0;

namespace {

Local locals[most_threads + 1];  // takes no memory before a thread writes there
pthread_key_t at_end;
std::atomic<bool> full{false};  ///< no more threads

constexpr std::uint32_t samples_without_cpu = 5;

std::uint64_t preempted() {
  rusage used{};
  return getrusage(RUSAGE_THREAD, &used) == 0 ? static_cast<std::uint64_t>(used.ru_nivcsw) : 0;
}

void go(void* given) {
  auto& local = *static_cast<Local*>(given);
  if (process == nullptr || local.area == nullptr) return;
  keep_usage(local);
  local.area->gone = 1;
}

/// libraddle has threads of its own, which are not the program's.
bool is_raddles(const void* caller) {
  Dl_info about{};
  if (dladdr(caller, &about) == 0 || about.dli_fname == nullptr) return false;
  const char* const slash = std::strrchr(about.dli_fname, '/');
  const char* const name = slash != nullptr ? slash + 1 : about.dli_fname;
  return std::strncmp(name, "libraddle.so", 12) == 0;
}

void begin(Local& local, ThreadArea& area, std::uint32_t number) {
  local.area = &area;
  local.messages = Local::Room::unknown;
  local.depth = 0;
  local.countdown = 1;
  local.until_cpu = 1;
  local.sampled = local.usage = 0;
  local.number = static_cast<std::uint16_t>(number);
  local.random = 0x9E3779B97F4A7C15ULL * (number + 1) ^ static_cast<std::uint64_t>(getpid());
  local.epoch = epoch.load(std::memory_order_relaxed) - 1;
  std::memset(local.notes, 0, sizeof local.notes);
  local.types_epoch = types_epoch.load(std::memory_order_relaxed) - 1;
  local.trace = {};
  local.area->began = now();
  local.area->timeline.begin(process->first_ticks);
}

}  // namespace

void begin_threads() {
  full = false;
  static const int made = pthread_key_create(&at_end, go);
  static_cast<void>(made);
  std::uint64_t least = ~0ULL;
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t before = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    least = std::min(least, nanoseconds(CLOCK_THREAD_CPUTIME_ID) - before);
  }
  reading_costs = least;
}

Local& nobodys(ThreadArea& area) {
  Local& local = locals[most_threads];
  begin(local, area, most_threads);
  return local;
}

Local* come(const void* caller) {
  if (is_raddles(caller)) return nullptr;
  ProcessArea& of = *process;
  std::uint32_t number = most_threads;
  if (!full.load(std::memory_order_relaxed)) {
    const Alone alone;
    const std::uint32_t so_far = of.threads.load(std::memory_order_relaxed);
    if (so_far < most_threads && there(&area_of(of, so_far), offsetof(ThreadArea, row))) {
      number = so_far;
      of.threads.store(number + 1, std::memory_order_release);  // from here on others look at it
    } else {
      full.store(true, std::memory_order_relaxed);
      if (so_far < most_threads) {
        std::fprintf(stderr, "raddle: the profile of process %ld lacks a thread: there is no more room for its file\n",
                     static_cast<long>(getpid()));
      }
    }
  }
  if (number == most_threads) {
    of.lost.fetch_add(1, std::memory_order_relaxed);  // as it will be at each of its calls
    return nullptr;
  }
  ThreadArea& area = area_of(of, number);
  Local& local = locals[number];
  begin(local, area, number);
  prctl(PR_GET_NAME, area.name);
  area.cpu_began = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  area.preempted_began = preempted();
  area.tid = static_cast<std::int32_t>(syscall(SYS_gettid));
  pthread_setspecific(at_end, &local);
  mine = &local;
  return &local;
}

void keep_usage(Local& local) {
  ThreadArea& area = *local.area;
  area.cpu_ended = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  area.preempted = preempted();
  prctl(PR_GET_NAME, area.name);  // programs name their threads late
}

Sample begin_sample(Local& local, std::uint64_t at) {
  ThreadArea& area = *local.area;
  const int cpu = sched_getcpu();
  if (local.cpu >= 0 && cpu != local.cpu) ++area.moved;
  local.cpu = cpu;
  if (at - local.usage > 40 * between_samples) {
    local.usage = at;
    keep_usage(local);
  }
  // To ask for CPU time takes the system several times as long as a short call takes in all: so not each time.
  const bool asks = at - local.sampled > between_samples || --local.until_cpu == 0;
  local.sampled = at;
  if (asks) local.until_cpu = samples_without_cpu;
  Sample made{asks ? nanoseconds(CLOCK_THREAD_CPUTIME_ID) : 0, 0};
  const std::uint32_t threads = std::min(process->threads.load(std::memory_order_relaxed), most_threads);
  for (std::uint32_t i = 0; i < threads; ++i) {
    if (i != local.number && area_of(*process, i).inside.load(std::memory_order_relaxed) != 0) ++made.inside;
  }
  return made;
}

}  // namespace raddle::profile
