// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/own_handle.hpp"

#include <cstddef>
#include <utility>

#include "endpoints/late_handle.hpp"
#include "endpoints/own_comm.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

MPI_Comm own_handle(MPI_Comm like) {
  return late::possible && platform::quirks().scarce_communicators ? late::make(like) : own_comm(like);
}

OwnHandles::OwnHandles(MPI_Comm like, int count) : handles_(static_cast<std::size_t>(count), MPI_COMM_NULL) {
  try {
    for (MPI_Comm& handle : handles_) {
      handle = own_handle(like);
      if (handle != MPI_COMM_NULL) continue;
      give_back();
      return;
    }
  } catch (...) {
    give_back();
    throw;
  }
}

void OwnHandles::give_back() {
  for (MPI_Comm& handle : handles_) {
    if (handle != MPI_COMM_NULL) free_own_handle(handle);
  }
  handles_.clear();
}

void free_own_handle(MPI_Comm& handle) {
  MPI_Comm real = late::behind(handle);
  if (real != MPI_COMM_NULL) platform::regardless(PMPI_Comm_free(&real));
  late::give_back(std::exchange(handle, MPI_COMM_NULL));
}

}  // namespace raddle::endpoints
