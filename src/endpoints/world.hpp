// SPDX-License-Identifier: BSD-3-Clause
// What the program's MPI_COMM_WORLD is where some of the job's processes are not the program's but proxies.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::endpoints {

/// The program's processes; MPI_COMM_NULL: all processes of the job are. Set when the MPI has begun.
inline MPI_Comm program_world = MPI_COMM_NULL;

/// Bit of the gate: the program's world is not the job's.
constexpr std::uint32_t split_world = 1U << 29U;

}  // namespace raddle::endpoints
