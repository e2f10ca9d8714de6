// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/buffered.hpp"

#include <mpi.h>

#include <atomic>

namespace raddle::endpoints::buffered {
namespace {

std::atomic<std::int64_t> attached{0};
std::atomic<std::int64_t> used{0};

}  // namespace

void attach(std::int64_t bytes) { attached.store(bytes); }

std::shared_ptr<std::byte[]> room(std::size_t bytes) {
  const auto needed = static_cast<std::int64_t>(bytes) + MPI_BSEND_OVERHEAD;
  if (used.fetch_add(needed) + needed > attached.load()) {
    used.fetch_sub(needed);
    return nullptr;
  }
  return {new std::byte[bytes], [needed](const std::byte* memory) {
            delete[] memory;
            used.fetch_sub(needed);
          }};
}

bool in_use() { return used.load() > 0; }

}  // namespace raddle::endpoints::buffered
