// SPDX-License-Identifier: BSD-3-Clause
// The body of both programs: read a plan, describe the launch, measure every set.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/control.hpp"
#include "core/exit.hpp"
#include "core/facts.hpp"

namespace raddle::bench {

struct Arguments {
  std::string level = "single";  ///< thread level to ask for; raddle-bench only
  std::string plan;              ///< file with the plan
  bool list = false;
};

/// @throws PlanError for anything it does not know
Arguments parse_arguments(int argc, char** argv);

/// @param mpi what rank 0 knows of its MPI, for the `launch` line; none on other ranks and without MPI. @returns an
/// Exit
int run_launch(Control& control, const Arguments& arguments, std::optional<MpiFacts> mpi);

/// The same on every host name that this kernel goes by: simulated nodes share CPUs and clock.
std::string kernel_id();

/// The whole of `main`: takes the arguments, answers `--list`, else runs; bad arguments are told on standard error.
int program(int argc, char** argv, const std::function<int(const Arguments&)>& run);

}  // namespace raddle::bench
