// SPDX-License-Identifier: BSD-3-Clause
// What the record of a launch says about its MPI.
#pragma once

#include <string>

#include "core/facts.hpp"

namespace raddle::bench {

/// MPI_THREAD_* constant of a level's name and back.
int level_of(const std::string& name);
std::string level_name(int level);

/// The level this program asked for; set once, before anything is measured.
const std::string& requested_level();
void set_requested_level(const std::string& name);

/// Library version, standard, thread levels and every control variable that MPI_T lets us read.
MpiFacts about_mpi(const std::string& requested, int provided);

}  // namespace raddle::bench
