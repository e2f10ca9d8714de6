// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/handles/handles.hpp"

#include <mutex>
#include <utility>

namespace raddle::endpoints {

namespace {

thread_local Leaving* innermost = nullptr;

std::mutex guard;
int count = 0;  ///< of all threads; as long as it is not 0 the gate says so

void add(int change) {
  const std::lock_guard lock(guard);
  count += change;
  if (count > 0)
    gate.fetch_or(someone_leaves, std::memory_order_relaxed);
  else
    gate.fetch_and(~someone_leaves, std::memory_order_relaxed);
}

}  // namespace

Leaving::Leaving(Endpoint& endpoint) : endpoint_(endpoint), outer_(std::exchange(innermost, this)) { add(1); }

Leaving::~Leaving() {
  innermost = outer_;
  add(-1);
}

Endpoint* Leaving::with(MPI_Comm comm) {
  for (const Leaving* one = innermost; one != nullptr; one = one->outer_) {
    if (one->endpoint_.comm == comm) return &one->endpoint_;
  }
  return nullptr;
}

}  // namespace raddle::endpoints
