// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is in this process to make communicators of the MPI's.
//
// Threads of two processes may make communicators at the same time, and MPI lets them; but there are MPIs (Open
// MPI 5.0) whose agreement on a context then stays stuck now and then. So Raddle makes them one after the other: who
// makes some takes the turn in all processes concerned, in an order that all processes agree on, and no two wait for
// each other.
#pragma once

#include <atomic>

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

}  // namespace raddle::endpoints
