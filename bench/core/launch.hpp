// SPDX-License-Identifier: BSD-3-Clause
// The body of both programs: read a plan, describe the launch, measure every set.
#pragma once

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

/// Prints a message for people on standard error, prefixed with the program's name.
void complain(const std::string& message);

}  // namespace raddle::bench
