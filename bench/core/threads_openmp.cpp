// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>

#include <stdexcept>

#include "core/text.hpp"
#include "core/threads.hpp"

namespace raddle::bench {

void in_parallel(int threads, const std::function<void(int thread)>& body) {
  omp_set_dynamic(0);
  int given = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    given = omp_get_num_threads();
    if (given == threads) body(omp_get_thread_num());
  }
  if (given != threads)
    throw std::runtime_error(
        text("OpenMP gave ", given, " threads where ", threads, " are needed (OMP_THREAD_LIMIT?)"));
}

}  // namespace raddle::bench
