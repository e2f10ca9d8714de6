// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/pair_request.hpp"

#include <memory>

#include "endpoints/endpoint.hpp"

namespace raddle::endpoints {

PairRequest::PairRequest(Endpoint& endpoint, Request& send, Request& receive)
    : Request(nullptr), send_(send), receive_(receive) {
  // Otherwise nothing keeps the endpoint, and nothing will be asked of it.
  if (send.mover() != nullptr || receive.mover() != nullptr) belong_to(endpoint);
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
