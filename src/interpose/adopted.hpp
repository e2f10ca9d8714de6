// SPDX-License-Identifier: BSD-3-Clause
// What MPI functions that concern a process do for the rank that the calling thread has adopted. Return MPI error
// codes, raised.
#pragma once

#include <cstdint>
#include <string>

#include "endpoints/rank.hpp"

namespace raddle::interpose::adopted {

int initialize();
/// Ends its communicators. The MPI itself ends with the process's own MPI_Finalize.
int finalize();
int attach(void* buffer, std::int64_t bytes);
int refuse(const char* function);

/// Raises what is about no communicator, by an error handler of the rank. @returns the code
int raise(const endpoints::Rank& rank, int code);
/// Says which function has been called while MPI is not there for the rank, and ends the job as the MPI would.
[[noreturn]] void end_the_job(const std::string& call);

}  // namespace raddle::interpose::adopted
