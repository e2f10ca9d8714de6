// SPDX-License-Identifier: BSD-3-Clause
// The body of both programs: read a plan, describe the launch, measure every set.
#pragma once

#include <string>

#include "core/control.hpp"
#include "core/emit.hpp"

namespace raddle::bench {

enum Exit : int { ok = 0, bad_plan = 2, points_failed = 3 };

struct Arguments {
  std::string level = "single";  ///< thread level to ask for; raddle-bench only
  std::string plan;              ///< file with the plan
  bool list = false;
};

/// @throws PlanError for anything it does not know
Arguments parse_arguments(int argc, char** argv);

/// Prints the registry (`--list`).
void print_registry();

/// @param about what the program knows of its MPI, merged into the `launch` line; @returns an Exit
int run_launch(Control& control, const Arguments& arguments, const Json& about);

/// Prints a message for people on standard error, prefixed with the program's name.
void complain(const std::string& message);

}  // namespace raddle::bench
