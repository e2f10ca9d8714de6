// SPDX-License-Identifier: BSD-3-Clause
#include "node/cpu_set.hpp"

#include <dirent.h>
#include <dlfcn.h>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace raddle::node {

CpuSet::CpuSet() {
  add_threads();
  add_openmp_places();
}

CpuSet CpuSet::lately() {
  using Clock = std::chrono::steady_clock;
  static std::mutex guard;
  static std::optional<CpuSet> last;
  static Clock::time_point until;
  const std::lock_guard lock(guard);
  if (const auto now = Clock::now(); !last || now > until) {
    last.emplace();
    until = now + std::chrono::milliseconds(100);
  }
  return *last;
}

void CpuSet::add_threads() {
  const auto add = [this](pid_t thread) {
    Words own{};
    if (sched_getaffinity(thread, sizeof own, reinterpret_cast<cpu_set_t*>(own.data())) != 0) return;
    this->add(own);
  };
  add(0);  // the calling one, where there is no /proc
  // A directory_iterator of libstdc++ (12) ends the process for want of memory.
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return;
  while (const dirent* const task = readdir(threads)) {  // NOLINT(concurrency-mt-unsafe): of a stream of its own
    const std::string_view name = task->d_name;
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc{}) add(thread);
  }
  closedir(threads);
}

/// By name, for the program may have no OpenMP.
void CpuSet::add_openmp_places() {
  const auto function = [](const char* name) { return dlsym(RTLD_DEFAULT, name); };
  const auto count_of_places = reinterpret_cast<int (*)()>(function("omp_get_num_places"));
  const auto count_of_cpus = reinterpret_cast<int (*)(int)>(function("omp_get_place_num_procs"));
  const auto cpus_of = reinterpret_cast<void (*)(int, int*)>(function("omp_get_place_proc_ids"));
  if (count_of_places == nullptr || count_of_cpus == nullptr || cpus_of == nullptr) return;
  for (int place = 0; place < count_of_places(); ++place) {
    std::vector<int> cpus(static_cast<std::size_t>(count_of_cpus(place)));
    cpus_of(place, cpus.data());
    for (const int cpu : cpus) {
      if (cpu >= 0 && cpu < 8 * size) add(cpu);
    }
  }
}

}  // namespace raddle::node
