// SPDX-License-Identifier: BSD-3-Clause
// That a thread's accesses to windows are done, for all, before what it does after it has completed them (MPI-4.1
// section 12.7): of two ranks that each write for the other and then look, one has to see what the other has written.
#pragma once

#include <atomic>

namespace raddle::endpoints {

/// The calling thread has written to a window since the last order_accesses(). Who completes the operations of another
/// thread has learned of them from that thread, so they are done already.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local bool unordered = false;

/// A fence, which costs more than the operations themselves, where one is needed.
inline void order_accesses() {
  if (unordered) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    unordered = false;
  } else {
    std::atomic_thread_fence(std::memory_order_acq_rel);
  }
}

/// After an atomic operation that has changed a window. On x86-64 that is a fence itself.
inline void changed_atomically() {
#if !defined(__x86_64__)
  unordered = true;
#endif
}

}  // namespace raddle::endpoints
