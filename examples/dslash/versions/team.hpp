// SPDX-License-Identifier: BSD-3-Clause
// The threads of a process: whether they are there, and how those that have no rank combine what they bring, before one
// of them calls the MPI.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace dslash {

/// In a parallel region: each domain, or part of one, needs its thread. Without it the others would wait for it; then
/// this ends the job.
void expect_threads(int wanted);

/// Of one process. All its threads make each call, in a parallel region.
class ThreadTeam {
 public:
  void combine(std::span<double> values, MPI_Op operation);

 private:
  std::vector<double> together_;
};

}  // namespace dslash
