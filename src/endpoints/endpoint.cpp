// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/endpoint.hpp"

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/requests/own_requests.hpp"

namespace raddle::endpoints {

Probed::Probed(Endpoint& endpoint) : endpoint_(&endpoint), handle_(take_message_handle()) {
  insert<Kind::message>(handle_, *this);
  endpoint.communicator().hold();
}

Probed::~Probed() {
  erase<Kind::message>(handle_);
  give_back_message_handle(handle_);
  endpoint_->communicator().let_go();
}

Endpoint::Endpoint(MPI_Comm handle, int rank, Communicator& communicator)
    : Mover(handle),
      communicator_(communicator),
      rank_(rank),
      size_(communicator.size()),
      peers_(communicator.peers_of(rank)),
      index_(communicator.places()[static_cast<std::size_t>(rank)].index),
      greatest_tag_(greatest_tag_of(late::is(handle) ? comm_to_ask() : handle)) {
  CompleteRequest::make_all();
  communicator_.enrol(index_, *this);
}

Endpoint::~Endpoint() {
  if (MPI_Comm heir = heir_.load(std::memory_order_relaxed); heir != MPI_COMM_NULL) free_own_handle(heir);
}

}  // namespace raddle::endpoints
