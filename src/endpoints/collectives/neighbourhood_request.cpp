// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/neighbourhood_request.hpp"

#include <utility>

#include "endpoints/endpoint.hpp"

namespace raddle::endpoints::collectives {

NeighbourhoodRequest::NeighbourhoodRequest(Endpoint& endpoint, std::unique_ptr<Neighbourhood> messages, bool persistent)
    : Request(nullptr), messages_(std::move(messages)) {
  belong_to(endpoint);
  persistent_ = persistent;
  active_ = !persistent;
  endpoint.communicator().hold();  // its handle may be freed before this has ended
}

NeighbourhoodRequest::~NeighbourhoodRequest() { endpoint_->communicator().let_go(); }

Ended NeighbourhoodRequest::ask() const {
  if (!messages_->complete()) return Ended::no;
  return messages_->error() == MPI_SUCCESS ? Ended::well : Ended::otherwise;
}

int NeighbourhoodRequest::start() {
  active_ = true;
  return messages_->again();
}

void NeighbourhoodRequest::retire() {
  messages_->retire();
  if (persistent_) {
    active_ = false;
  } else {
    delete this;
  }
}

void NeighbourhoodRequest::abandon() {
  const std::unique_ptr<NeighbourhoodRequest> ended(this);
  messages_->abandon();
}

}  // namespace raddle::endpoints::collectives
