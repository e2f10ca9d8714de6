// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/versions/team.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdio>

namespace dslash {

void expect_threads(int wanted) {
  const int given = omp_get_num_threads();
  if (given == wanted) return;
  std::fprintf(stderr, "dslash: OpenMP gives %d threads, and %d are needed (OMP_THREAD_LIMIT?)\n", given, wanted);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

void ThreadTeam::combine(std::span<double> values, MPI_Op operation) {
  const int count = static_cast<int>(values.size());
#pragma omp critical(dslash_team)
  {
    if (together_.empty()) {
      together_.assign(values.begin(), values.end());
    } else {
      MPI_Reduce_local(values.data(), together_.data(), count, MPI_DOUBLE, operation);
    }
  }
#pragma omp barrier
#pragma omp master
  MPI_Allreduce(MPI_IN_PLACE, together_.data(), count, MPI_DOUBLE, operation, MPI_COMM_WORLD);
#pragma omp barrier
  std::ranges::copy(together_, values.begin());
#pragma omp barrier
#pragma omp master
  together_.clear();
#pragma omp barrier
}

}  // namespace dslash
