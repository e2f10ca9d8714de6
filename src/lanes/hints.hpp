// SPDX-License-Identifier: BSD-3-Clause
// The hints that lanes are made with, as values to compare.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::lanes {

/// Equal for infos with the same keys and values, raddle_ keys left out. @throws platform::Failure
std::uint64_t hash_info(MPI_Info info);
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

/// Copies all keys but raddle_ ones; keys already in `to` are replaced. @throws platform::Failure
void copy_info(MPI_Info from, MPI_Info to);

}  // namespace raddle::lanes
