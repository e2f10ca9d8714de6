// SPDX-License-Identifier: BSD-3-Clause
// A call that is blocked until something becomes of an array of requests.
#pragma once

#include <mpi.h>

#include "endpoints/completion.hpp"
#include "endpoints/handles.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {

/// Calls `visit` with each endpoint that has requests here; more than once if those of several alternate.
template <typename Visit>
void each_endpoint(Requests requests, Visit&& visit) {
  const Endpoint* last = nullptr;
  for (const MPI_Request handle : requests) {
    const Request* const request = find<Kind::request>(handle);
    if (request == nullptr || &request->endpoint() == last) continue;
    last = &request->endpoint();
    visit(request->endpoint());
  }
}

class Blocked {
 public:
  Blocked(Endpoint& endpoint, const char* call) : call_(call), waiting_(endpoint.crowded()) {}

  /// To be called after each look that found nothing; lets none of these progress.
  /// @returns whether another tenth of a second has gone by
  bool turn(Requests requests) {
    waiting_.turn();
    if (waiting_.idle()) each_endpoint(requests, [](Endpoint& endpoint) { endpoint.meanwhile(); });
    if (!waiting_.long_wait()) return false;
    each_endpoint(requests, [this](Endpoint& endpoint) { endpoint.blocked(call_); });
    return true;
  }

 private:
  const char* call_;
  platform::Waiting waiting_;
};

}  // namespace raddle::endpoints
