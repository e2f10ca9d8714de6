// SPDX-License-Identifier: BSD-3-Clause
// MPI's own operators on MPI's own types of numbers (MPI-4.1 section 6.9.2), without a call of the MPI for each few
// bytes.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace raddle::endpoints::collectives {

/// result[i] = left[i] op right[i]. The result may lie exactly where an operand does.
using Combine = void (*)(const void* left, const void* right, void* result, std::size_t count);

/// nullptr: only the MPI knows how. Quick for the same operator and type again.
[[nodiscard]] Combine combine_of(MPI_Op op, MPI_Datatype type);

/// The same for all processes: 1 to 14 for MPI's own, 15 for those of the program.
constexpr unsigned number_of_programs_operators = 15;
[[nodiscard]] unsigned operator_number(MPI_Op op);

struct KnownOperator {
  Combine combine;
  unsigned number;  ///< operator_number(), where `combine` is known
};
/// Both at once, as quick as combine_of().
[[nodiscard]] KnownOperator known_operator(MPI_Op op, MPI_Datatype type);

/// A type of the same numbers for MPIs that know it better: Open MPI 5.0.11 takes MPI_OFFSET for unsigned.
[[nodiscard]] MPI_Datatype plain(MPI_Datatype type);

}  // namespace raddle::endpoints::collectives
