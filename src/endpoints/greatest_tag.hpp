// SPDX-License-Identifier: BSD-3-Clause
// The value of MPI_TAG_UB (MPI-4.1 section 9.1.2).
#pragma once

#include <mpi.h>

#include "platform/must.hpp"

namespace raddle::endpoints {

/// As the MPI says it for `comm`, or else for its world.
inline int greatest_tag_of(MPI_Comm comm) {
  int* value = nullptr;
  int found = 0;
  platform::must("MPI_Comm_get_attr", PMPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&value), &found));
  if (found == 0)
    platform::must("MPI_Comm_get_attr",
                   PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
  return found != 0 ? *value : 32767;  // what every MPI has at least
}

}  // namespace raddle::endpoints
