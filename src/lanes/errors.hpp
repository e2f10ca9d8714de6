// SPDX-License-Identifier: BSD-3-Clause
// Error codes of lanes, registered with MPI so that MPI_Error_string explains them; and hints as values to compare.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::lanes {

enum class Error { no_communicators, pool_limit, unequal_counts, negative_count };

/// The class RADDLE_ERR_LANES. @pre MPI is initialised
int lanes_class();

/// The MPI error code of `error`. @pre MPI is initialised
int error_code(Error error);

/// A code of this class whose string is `message`.
int error_code_with(int error_class, const char* message);

/// Equal for infos with the same keys and values, raddle_ keys left out.
std::uint64_t hash_info(MPI_Info info);
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

/// Copies all keys but raddle_ ones; keys already in `to` are replaced.
void copy_info(MPI_Info from, MPI_Info to);

}  // namespace raddle::lanes
