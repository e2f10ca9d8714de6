// SPDX-License-Identifier: BSD-3-Clause
// The turn to make communicators, in all processes of a communicator.
#pragma once

#include "endpoints/communicator.hpp"

namespace raddle::endpoints {

/// Has the turn (turn.hpp) in each process of a new communicator, for as long as it lives: proxies make one
/// communicator after the other, so what two threads make at the same time must not reach them in different orders.
/// Where there is one process nothing is to be agreed on.
class CommonTurn {
 public:
  /// Collective over its processes. @pre no derivation from it has begun
  explicit CommonTurn(const Communicator& communicator);
  CommonTurn(const CommonTurn&) = delete;
  CommonTurn& operator=(const CommonTurn&) = delete;
  ~CommonTurn();

 private:
  bool taken_;
};

}  // namespace raddle::endpoints
