// SPDX-License-Identifier: BSD-3-Clause
// Who takes part in a set of points: flows (pairs of contexts) and the seat of each thread.
#pragma once

#include <string>

namespace raddle::bench {

enum class Side { sender, receiver };

/// Where both sides of a flow live (docs/results.md).
enum class Placement { one_process, node };

/// One context (a thread that communicates): contexts 0..flows-1 send, flows..2*flows-1 receive; flow f joins f and
/// flows+f.
struct Seat {
  int process;
  int thread;
  int context;
  int flow;
  Side side;
};

/// The shape of a team: `processes * threads_per_process == 2 * flows`, contexts numbered process by process.
struct Team {
  int flows;
  int processes;
  int threads_per_process;

  [[nodiscard]] int contexts() const noexcept { return 2 * flows; }

  [[nodiscard]] Seat seat(int process, int thread) const noexcept {
    const int context = process * threads_per_process + thread;
    const bool sends = context < flows;
    return {process, thread, context, sends ? context : context - flows, sends ? Side::sender : Side::receiver};
  }

  /// The process in which a context lives.
  [[nodiscard]] int process_of(int context) const noexcept { return context / threads_per_process; }
};

}  // namespace raddle::bench
