// SPDX-License-Identifier: BSD-3-Clause
// For threads that have no rank: how those of a process combine what they bring, before one of them calls the MPI.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace dslash {

/// Of one process. All its threads make each call, in a parallel region.
class ThreadTeam {
 public:
  void combine(std::span<double> values, MPI_Op operation);

 private:
  std::vector<double> together_;
};

}  // namespace dslash
