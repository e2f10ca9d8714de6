// SPDX-License-Identifier: BSD-3-Clause
// Stands in for OpenMP under ThreadSanitizer, which cannot see how libgomp orders the threads it starts.
#include <thread>
#include <vector>

#include "core/threads.hpp"

namespace raddle::bench {

void in_parallel(int threads, const std::function<void(int thread)>& body) {
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(body, thread);
  body(0);
}

}  // namespace raddle::bench
