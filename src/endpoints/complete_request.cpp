// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/complete_request.hpp"

#include "endpoints/endpoint.hpp"

namespace raddle::endpoints {

CompleteRequest::CompleteRequest(Endpoint& endpoint, const Result& result) : Request(&end_), result_(result) {
  comm = endpoint.comm;
  belong_to(endpoint);
}

}  // namespace raddle::endpoints
