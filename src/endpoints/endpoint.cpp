// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/endpoint.hpp"

namespace raddle::endpoints {
namespace {

/// Some MPIs keep it at MPI_COMM_WORLD only.
int tag_limit(MPI_Comm comm) {
  int* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&value), &found);
  if (found == 0) PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
  return found != 0 ? *value : 32767;  // what every MPI has at least
}

}  // namespace

Endpoint::Endpoint(MPI_Comm own_comm, int rank, Communicator& communicator)
    : Mover(own_comm),
      communicator_(communicator),
      rank_(rank),
      size_(communicator.size()),
      index_(communicator.places()[static_cast<std::size_t>(rank)].index),
      greatest_tag_(tag_limit(own_comm)),
      sent_(*this, {}),
      received_from_nobody_(*this, {.source = MPI_PROC_NULL}) {}

}  // namespace raddle::endpoints
