// SPDX-License-Identifier: BSD-3-Clause
// A trial does what a program may do, and looks whether the library does its part. It may crash or hang there, so the
// program says which trial it begins; who started it takes silence for a crash, and starts the remaining ones anew.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace raddle::inspect {

/// The library did something wrong; `what` says what was seen.
struct Defect : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws a Defect that says what MPI calls the error.
void check(int code, const char* call);

using Trial = void (*)();

/// Makes a trial known by its name.
struct RegisterTrial {
  RegisterTrial(const char* name, Trial trial);
};

/// Runs the trials of these names in order on all ranks; ends the job at the first defect, since a library that was
/// seen to be wrong is no ground for further trials.
void run_trials(const std::vector<std::string>& names);

}  // namespace raddle::inspect
