// SPDX-License-Identifier: BSD-3-Clause
// The command line of `traffic`.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::traffic {

struct Options {
  bool threads = false;  ///< contexts are threads: of a communicator each, or endpoints
  bool endpoints = false;
  bool uneven = false;  ///< processes have different numbers of endpoints: all, none, one, and so on
  int per_process = 2;  ///< threads of a process, or its endpoints
  int sharing = 1;      ///< threads that use one communicator's rank
  std::uint64_t seed = 1;
  std::uint64_t messages = 4000;
  double seconds = 5;
  bool default_handlers = false;  ///< errors end the job, as the MPI has it; otherwise they are returned
  bool spare = false;             ///< leaves out what MPIs are known to get wrong (Traffic::spare)
  double patience = 30;           ///< seconds without any operation that completes, until it gives up
};

/// @throws std::invalid_argument in words
Options parse(int argc, char** argv);

}  // namespace raddle::traffic
