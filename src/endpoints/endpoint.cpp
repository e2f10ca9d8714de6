// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/endpoint.hpp"

#include "endpoints/greatest_tag.hpp"

namespace raddle::endpoints {

Endpoint::Endpoint(MPI_Comm own_comm, int rank, Communicator& communicator)
    : Mover(own_comm),
      communicator_(communicator),
      rank_(rank),
      size_(communicator.size()),
      index_(communicator.places()[static_cast<std::size_t>(rank)].index),
      greatest_tag_(greatest_tag_of(own_comm)),
      sent_(*this, {}),
      received_from_nobody_(*this, {.source = MPI_PROC_NULL}) {}

}  // namespace raddle::endpoints
