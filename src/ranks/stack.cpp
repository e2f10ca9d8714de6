// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/stack.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>

namespace raddle::ranks {
namespace {

/// In place of no limit. It costs addresses, of which there are a thousand times as many, and no memory.
constexpr std::size_t unlimited = std::size_t{64} << 30U;
/// The C library keeps a thread's variables in its stack.
constexpr std::size_t for_variables = std::size_t{256} << 10U;
constexpr std::size_t least = std::size_t{1} << 20U;

std::size_t wanted(std::size_t page) {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > unlimited)
    return unlimited;
  return (limit.rlim_cur + for_variables + page - 1) / page * page;
}

}  // namespace

void give_stack(pthread_attr_t& attributes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // The C library would have it reserved, and the kernel refuses what is more than the machine's memory.
  constexpr int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  for (std::size_t size = wanted(page); size >= least; size = size / 2 / page * page) {
    void* const made = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (made == MAP_FAILED) continue;             // a limit of addresses, or a kernel that reserves everything
    madvise(made, size + page, MADV_NOHUGEPAGE);  // a deep call would be given 2 MiB
    mprotect(made, page, PROT_NONE);              // what overflows is a signal
    if (pthread_attr_setstack(&attributes, static_cast<std::byte*>(made) + page, size) == 0) return;
    munmap(made, size + page);
  }
}

}  // namespace raddle::ranks
