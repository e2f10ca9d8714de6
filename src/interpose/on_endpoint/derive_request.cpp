// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/derive_request.hpp"

#include "endpoints/own_handle.hpp"

namespace raddle::interpose::on_endpoint {

DeriveRequest::DeriveRequest(endpoints::Endpoint& endpoint, MPI_Comm& made) : Request(&end_), made_(made) {
  belong_to(endpoint);
  newcomer.ended = [this] { end(); };
  endpoint.communicator().hold();
}

DeriveRequest::~DeriveRequest() { endpoint_->communicator().let_go(); }

void DeriveRequest::end() {
  if (!newcomer.member) {
    if (newcomer.handle != MPI_COMM_NULL) endpoints::free_own_handle(newcomer.handle);
    made_ = MPI_COMM_NULL;
  }
  end_.store(newcomer.code == MPI_SUCCESS ? endpoints::Ended::well : endpoints::Ended::otherwise,
             std::memory_order_release);
}

void DeriveRequest::abandon() {
  if (complete()) retire();  // otherwise it is lost: the thread may still need it
}

}  // namespace raddle::interpose::on_endpoint
