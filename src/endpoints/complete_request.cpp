// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/complete_request.hpp"

#include "endpoints/handles.hpp"
#include "endpoints/real_handles.hpp"

namespace raddle::endpoints {

CompleteRequest::CompleteRequest(Endpoint& endpoint, const Result& result) : Request(&end_), result_(result) {
  comm = endpoint.comm;
  belong_to(endpoint);
  handle_ = make_request_handle();
  insert<Kind::request>(handle_, *this);
}

CompleteRequest::~CompleteRequest() {
  erase<Kind::request>(handle_);
  free_request_handle(handle_);
}

}  // namespace raddle::endpoints
