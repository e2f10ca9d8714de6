// SPDX-License-Identifier: BSD-3-Clause
// A call that is blocked until something becomes of an array of requests.
#pragma once

#include <mpi.h>

#include "endpoints/completion.hpp"
#include "endpoints/handles.hpp"
#include "endpoints/polling.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {

/// Calls `visit` with each mover of requests here; more than once if those of several alternate.
template <typename Visit>
void each_mover(Requests requests, Visit&& visit) {
  const Mover* last = nullptr;
  for (const MPI_Request handle : requests) {
    const Request* const request = find<Kind::request>(handle);
    Mover* const mover = request == nullptr ? nullptr : request->mover();
    if (mover == nullptr || mover == last) continue;
    last = mover;
    visit(*mover);
  }
}

/// Of a call that only looks.
inline void polled(Requests requests, bool found, const char* call) {
  if (found) return Polling::found();
  Mover* one = nullptr;
  each_mover(requests, [&](Mover& mover) { one = &mover; });
  Polling::in_vain(one, call);
}

class Blocked {
 public:
  explicit Blocked(const char* call) : call_(call) {}

  /// To be called after each look that found nothing; lets none of these progress.
  /// @returns whether another tenth of a second has gone by
  bool turn(Requests requests) {
    if (!began_) waiting_ = platform::Waiting(crowded(requests));
    began_ = true;
    waiting_.turn();
    if (waiting_.idle()) each_mover(requests, [](Mover& mover) { mover.meanwhile(); });
    if (!waiting_.long_wait()) return false;
    each_mover(requests, [this](Mover& mover) { mover.blocked(call_); });
    return true;
  }

 private:
  static bool crowded(Requests requests) {
    bool any = false;
    each_mover(requests, [&](const Mover& mover) { any = any || mover.crowded(); });
    return any;
  }

  const char* call_;
  bool began_ = false;
  platform::Waiting waiting_{false};  // until it begins
};

}  // namespace raddle::endpoints
