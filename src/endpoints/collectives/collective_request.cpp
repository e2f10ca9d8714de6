// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/collective_request.hpp"

#include <utility>

#include "endpoints/endpoint.hpp"

namespace raddle::endpoints::collectives {

CollectiveRequest::CollectiveRequest(Endpoint& endpoint, std::unique_ptr<Held> held,
                                     std::unique_ptr<Collective> collective, std::shared_ptr<Context> own)
    : Request(&collective->end()), held_(std::move(held)), own_(std::move(own)), collective_(std::move(collective)) {
  belong_to(endpoint);
  persistent_ = own_ != nullptr;
  active_ = !persistent_;
  endpoint.communicator().hold();  // its handle may be freed before this has ended
  if (active_) endpoint.collectives().start(*collective_, endpoint.collectives().next(*collective_));
}

CollectiveRequest::~CollectiveRequest() {
  collective_.reset();
  own_.reset();
  endpoint_->communicator().let_go();
}

int CollectiveRequest::start() {
  if (const int code = collective_->again(); code != MPI_SUCCESS) return code;
  active_ = true;
  endpoint_->collectives().start(*collective_, ++starts_);
  return MPI_SUCCESS;
}

void CollectiveRequest::retire() {
  if (persistent_) {
    active_ = false;
  } else {
    delete this;
  }
}

void CollectiveRequest::abandon() {
  const std::unique_ptr<CollectiveRequest> ended(this);
  if (active_ && !collective_->complete()) {
    Collective& orphan = *collective_;
    orphan.keep_alive(std::move(held_), std::move(own_));
    endpoint_->collectives().adopt(std::move(collective_));
  }
}

}  // namespace raddle::endpoints::collectives
