// SPDX-License-Identifier: BSD-3-Clause
// The MPI's texts of error codes, to which Raddle adds.
#pragma once

#include <mutex>
#include <string>

namespace raddle::platform {

/// Who adds codes, classes or texts to the MPI's, or reads a text, holds it: MPICH and Intel MPI crash where one thread
/// adds and another reads. Raddle adds when something fails, of which the program knows nothing.
std::recursive_mutex& table_of_errors();

/// What MPI_Error_string says of a code; "" where it says nothing
std::string text_of(int code);

}  // namespace raddle::platform
