// SPDX-License-Identifier: BSD-3-Clause
// How a call is blocked.
#pragma once

#include "endpoints/mover.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {

/// Looks until it has succeeded, for the MPI function `call`. To make progress with what it waits for is up to `look`;
/// what others owe in this process is seen to here.
template <typename Look>
void until(Mover& mover, const char* call, Look&& look) {
  platform::Waiting waiting(mover.crowded());
  while (!look()) {
    waiting.turn();
    if (waiting.idle()) mover.meanwhile();
    if (waiting.long_wait()) mover.blocked(call);
  }
}

/// The same where `look` leaves progress to it.
template <typename Look>
void progress_until(Mover& mover, const char* call, Look&& look) {
  until(mover, call, [&] {
    mover.progress();
    return look();
  });
}

}  // namespace raddle::endpoints
