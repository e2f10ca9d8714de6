// SPDX-License-Identifier: BSD-3-Clause
#include "profile/sampler.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "profile/clock.hpp"
#include "profile/local.hpp"
#include "profile/locks.hpp"

namespace raddle::profile {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr int looks_between_clocks = 64;

std::uint32_t threads() { return std::min(process->threads.load(relaxed), most_threads); }

/// The clock of the CPU time of a thread of this process, as Linux numbers them.
clockid_t clock_of(std::int32_t tid) { return static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3U) | 6U); }

/// What the system counts. Under the lock of the process, since the process may end beside the sampler.
void read_clocks() {
  ProcessArea& area = *process;
  for (std::uint32_t i = 0; i < threads(); ++i) {
    ThreadArea& one = area_of(area, i);
    const std::int32_t tid = one.tid.load(relaxed);
    if (tid == 0 || one.gone.load(relaxed) != 0) continue;
    const std::uint64_t used = nanoseconds(clock_of(tid));
    if (used > one.cpu_ended.load(relaxed) && one.gone.load(relaxed) == 0) one.cpu_ended.store(used, relaxed);
  }
  area.cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

void keep_time() {
  const Moment at = moment();
  process->last_ticks = at.ticks;
  process->last_nanoseconds = at.nanoseconds;
}

void look(std::uint64_t from, std::uint64_t to) {
  ProcessArea& area = *process;
  std::uint32_t inside = 0;
  for (std::uint32_t i = 0; i < threads(); ++i) inside += area_of(area, i).inside.load(relaxed) != 0 ? 1 : 0;
  ++area.looks;
  area.with[inside] += to - from;
  area.concurrency.add(0, from, to);
  area.concurrency.add(1, from, to, inside);
}

void* run(void* given) {
  ProcessArea* const of = static_cast<ProcessArea*>(given);
  pthread_setname_np(pthread_self(), "raddle-profile");
  std::uint64_t before = now();
  std::uint32_t turn = 0;
  std::uint32_t random = 12345;
  while (process == of) {
    // Not always after the same time: programs have a period, too.
    random = random * 1664525U + 1013904223U;
    const timespec pause{0, 750'000 + static_cast<long>(random >> 13U)};
    nanosleep(&pause, nullptr);
    const std::uint64_t at = now();
    look(before, at);
    before = at;
    keep_time();
    if (++turn % looks_between_clocks == 0) {
      const Alone alone;
      read_clocks();
    }
  }
  return nullptr;
}

}  // namespace

void begin_sampler() {
  sigset_t all, own;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_sigmask(SIG_SETMASK, &all, &own);  // they are for the program's threads
  pthread_t thread{};
  pthread_create(&thread, &attributes, run, process);  // without it the rest is recorded all the same
  pthread_sigmask(SIG_SETMASK, &own, nullptr);
  pthread_attr_destroy(&attributes);
}

void look_last() {
  const Alone alone;
  read_clocks();
  keep_time();
}

}  // namespace raddle::profile
