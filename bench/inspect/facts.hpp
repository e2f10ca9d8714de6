// SPDX-License-Identifier: BSD-3-Clause
// The line of facts: the library, what it provided, its control variables, and where each rank and thread may run.
#pragma once

#include <string>

namespace raddle::inspect {

/// Gathers the facts of all ranks and lets rank 0 say them. Collective.
/// @param threads  OpenMP threads whose affinity is read on each rank
void say_facts(const std::string& requested, int provided, int threads);

}  // namespace raddle::inspect
