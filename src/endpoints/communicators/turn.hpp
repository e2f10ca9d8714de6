// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is in this process to make communicators of the MPI's.
//
// Threads of two processes may make communicators at the same time, and MPI lets them; but there are MPIs (Open
// MPI 5.0) whose agreement on a context then stays stuck now and then. So Raddle makes them one after the other: who
// makes some takes the turn in all processes concerned, in an order that all processes agree on, and no two wait for
// each other.
#pragma once

#include <atomic>

#include "endpoints/communicators/communicator.hpp"

namespace raddle::endpoints {

class Turn {
 public:
  /// Takes it for `owner`. @returns whether `owner` has it
  static bool take(const void* owner) {
    const void* nobody = nullptr;
    return owner_.compare_exchange_strong(nobody, owner, std::memory_order_acquire) || nobody == owner;
  }
  /// @pre it was taken
  static void give_back() { owner_.store(nullptr, std::memory_order_release); }

 private:
  static inline std::atomic<const void*> owner_{nullptr};
};

// The turn to make communicators, in all processes of a communicator.

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
