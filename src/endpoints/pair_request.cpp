// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/pair_request.hpp"

#include <memory>

#include "endpoints/handles.hpp"
#include "endpoints/real_handles.hpp"

namespace raddle::endpoints {

PairRequest::PairRequest(Request& send, Request& receive) : Request(nullptr), send_(send), receive_(receive) {
  comm = receive.comm;
  mover_ = &receive.mover();
  handle_ = make_request_handle();
  insert<Kind::request>(handle_, *this);
}

PairRequest::~PairRequest() {
  erase<Kind::request>(handle_);
  free_request_handle(handle_);
}

Ended PairRequest::ask() const {
  if (!send_.complete() || !receive_.complete()) return Ended::no;
  return send_.ended_well() && receive_.ended_well() ? Ended::well : Ended::otherwise;
}

Result PairRequest::result() const {
  Result both = receive_.result();
  if (both.error == MPI_SUCCESS) both.error = send_.result().error;
  return both;
}

void PairRequest::retire() {
  const std::unique_ptr<PairRequest> ended(this);
  send_.retire();
  receive_.retire();
}

void PairRequest::abandon() {
  const std::unique_ptr<PairRequest> ended(this);
  send_.abandon();
  receive_.abandon();
}

}  // namespace raddle::endpoints
