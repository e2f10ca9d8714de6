// SPDX-License-Identifier: BSD-3-Clause
// What MPI functions that concern a process do for the rank that the calling thread has adopted. Return MPI error
// codes, raised.
#pragma once

#include <cstdint>

#include "endpoints/rank.hpp"

namespace raddle::interpose::adopted {

int initialize();
/// Ends its communicators. The MPI itself ends with the process's own MPI_Finalize.
int finalize();
int attach(void* buffer, std::int64_t bytes);
int refuse(const char* function);

}  // namespace raddle::interpose::adopted
