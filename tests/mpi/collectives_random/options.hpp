// SPDX-License-Identifier: BSD-3-Clause
// The command line of `collectives_random`.
#pragma once

#include <cstdint>

namespace raddle::collectives {

struct Options {
  bool endpoints = false;   ///< ranks are threads; otherwise processes
  bool uneven = false;      ///< processes have different numbers of endpoints: all, none, one, and so on
  int per_process = 2;      ///< endpoints of a process
  bool derived = false;     ///< communicators made by MPI_Comm_dup and MPI_Comm_split as well
  bool topologies = false;  ///< neighbourhood collectives, on Cartesian and graph communicators
  std::uint64_t seed = 1;
  int rounds = 1000000;
  double seconds = 5;
  bool default_handlers = false;  ///< errors end the job, as the MPI has it; otherwise they are returned
  bool spare = false;             ///< leaves out what MPIs are known to get wrong (Rules::spare)
  bool trace = false;             ///< tells of each call before it begins
  double patience = 30;           ///< seconds without anything that completes, until it gives up
};

/// @throws std::invalid_argument in words
Options parse(int argc, char** argv);

}  // namespace raddle::collectives
