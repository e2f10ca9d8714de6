// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/affinity.hpp"

#include <omp.h>
#include <sched.h>

#include <memory>

namespace raddle::inspect {
namespace {

// More than any kernel's NR_CPUS, since sched_getaffinity refuses a mask that is shorter.
constexpr int most_cpus = 1 << 15;

struct FreeMask {
  void operator()(cpu_set_t* mask) const { CPU_FREE(mask); }
};

}  // namespace

std::vector<int> my_cpus() {
  const std::unique_ptr<cpu_set_t, FreeMask> mask(CPU_ALLOC(most_cpus));
  const std::size_t size = CPU_ALLOC_SIZE(most_cpus);
  CPU_ZERO_S(size, mask.get());
  std::vector<int> cpus;
  if (sched_getaffinity(0, size, mask.get()) != 0) return cpus;
  for (int cpu = 0; cpu < most_cpus; ++cpu) {
    if (CPU_ISSET_S(cpu, size, mask.get())) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<std::vector<int>> cpus_of_threads(int threads) {
  std::vector<std::vector<int>> cpus(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  cpus[static_cast<std::size_t>(omp_get_thread_num())] = my_cpus();
  return cpus;
}

}  // namespace raddle::inspect
