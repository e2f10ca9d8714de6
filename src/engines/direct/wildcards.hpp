// SPDX-License-Identifier: BSD-3-Clause
// MPI's wildcards, whose values differ between MPIs, and the engine's.
#pragma once

#include <mpi.h>

#include "engines/direct/matching.hpp"

namespace raddle::direct {

inline int from_mpi_source(int source) { return source == MPI_ANY_SOURCE ? any : source; }
inline int from_mpi_tag(int tag) { return tag == MPI_ANY_TAG ? any : tag; }

}  // namespace raddle::direct
