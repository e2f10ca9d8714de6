// SPDX-License-Identifier: BSD-3-Clause
// When a process begins MPI, and ends it.
#pragma once

#include <cstdint>

#include "check/thread.hpp"

namespace raddle::check {

/// After MPI_Init.
void begun();
/// After MPI_Session_init: several levels may be in use.
void session();
/// MPI was begun by a function that has no wrapper here, or before. @returns whether it was, and has not ended
bool has_begun();

/// After MPI_Finalize.
void finalized();

/// Threads are ranks: handles mean something else in each of them, so nothing can be told.
void give_up();

/// The level does not matter any more.
void any_level();

/// By number of a function.
bool is_for_any_thread(std::uint32_t function);  ///< at any level, and at any time
bool is_for_any_time(std::uint32_t function);    ///< also before MPI begins and after it ends

}  // namespace raddle::check
