// SPDX-License-Identifier: BSD-3-Clause
// Calls that look for something, and do not wait for it: MPI_Test, MPI_Iprobe and their relatives. A program that waits
// by such calls may be what another one waits for, on another communicator: so they see to all that this thread answers
// for, as calls do that are blocked (MPI-4.1 sections 2.9 and 3.7.4).
#pragma once

#include <cstdint>

#include "endpoints/mover.hpp"

namespace raddle::endpoints::mpi_progress {

// The MPI moves its own messages while it is called. Where a program waits on endpoints, what its partner needs first
// may be one of those: so Raddle calls the MPI meanwhile (MPI-4.1 sections 2.9 and 3.5, progress).

/// Lets the MPI take a step, unless another thread does: for calls that go to the MPI as well.
void step();

/// The same for calls that do not: where the thread level allows it, and now and then. Any thread.
void step_meanwhile();

/// Whether threads of Raddle's own may call the MPI.
[[nodiscard]] bool any_thread();

/// Before the MPI ends.
void end();

}  // namespace raddle::endpoints::mpi_progress

namespace raddle::endpoints {

class Polling {
 public:
  /// This thread's call has found what it looked for.
  static void found() {
    if (in_vain_ != 0) [[unlikely]]
      in_vain_ = 0;
  }

  /// It has not, although it has let `mover` progress.
  static void in_vain(Mover* mover, const char* call) {
    if (++in_vain_ % few == 0) [[unlikely]]
      see_to_others(mover, call);
  }

  /// A call has looked for something of the MPI's own.
  static void of_the_mpi(bool found_it, const char* call) {
    if (found_it)
      found();
    else
      in_vain(nullptr, call);
  }

  /// Which wait of this thread it is: another number, another wait.
  [[nodiscard]] static std::uint64_t wait() { return wait_; }

 private:
  static constexpr std::uint64_t few = 8;  ///< looks in vain between two that see to others

  [[gnu::cold]] static void see_to_others(Mover* mover, const char* call);

  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local std::uint64_t in_vain_ = 0;
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local std::uint64_t wait_ = 0;
};

/// One step for all that waits in this process, whatever it is about. Whoever has something registers a step.
struct Everything {
  using Step = void (*)();
  static void add(Step step);
  static void progress();
};

}  // namespace raddle::endpoints
