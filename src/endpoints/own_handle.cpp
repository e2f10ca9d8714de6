// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/own_handle.hpp"

#include <utility>

#include "endpoints/late_handle.hpp"
#include "endpoints/own_comm.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::endpoints {

MPI_Comm own_handle(MPI_Comm like) {
  return late::possible && platform::quirks().scarce_communicators ? late::make(like) : own_comm(like);
}

std::vector<MPI_Comm> own_handles(MPI_Comm like, int count) {
  std::vector<MPI_Comm> handles;
  for (int i = 0; i < count; ++i) {
    const MPI_Comm made = own_handle(like);
    if (made == MPI_COMM_NULL) {
      for (MPI_Comm& handle : handles) free_own_handle(handle);
      return {};
    }
    handles.push_back(made);
  }
  return handles;
}

void free_own_handle(MPI_Comm& handle) {
  MPI_Comm real = late::behind(handle);
  if (real != MPI_COMM_NULL) PMPI_Comm_free(&real);
  late::give_back(std::exchange(handle, MPI_COMM_NULL));
}

}  // namespace raddle::endpoints
