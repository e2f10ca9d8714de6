// SPDX-License-Identifier: BSD-3-Clause
// Who takes part in a set of points: flows, the contexts that make them up, and the seat of each thread.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace raddle::bench {

enum class Side { sender, receiver };

/// Where the contexts of a flow live (docs/use/results.md). `no_shm`, `netns` and `nodes` are `node` by another road.
enum class Placement { one_process, node, no_shm, netns, nodes };

/// What a context is.
enum class Contexts { processes, threads };

/// One context (a thread that communicates). Contexts are numbered party by party: context c is party c / flows of flow
/// c % flows.
struct Seat {
  int process;
  int thread;
  int context;
  int flow;
  int party;
  Side side;              ///< party 0 sends
  int helper_cpu;         ///< for a thread that the context starts beside itself; -1: wherever it likes
  bool one_clock = true;  ///< whether moments of all contexts can be compared; false: their kernels differ
};

struct Team {
  int flows;
  int parties;
  std::vector<int> threads;  ///< of each process; contexts are dealt to them in order
  int helpers = 0;           ///< busy threads that each context starts beside itself
  int proxies = 0;           ///< busy processes beside each process, which never come here: for them a CPU is left free

  [[nodiscard]] int contexts() const noexcept { return flows * parties; }
  [[nodiscard]] int busy() const noexcept { return contexts() * (1 + helpers) + processes() * proxies; }
  /// Of these processes alone.
  [[nodiscard]] int busy(std::span<const int> of) const noexcept;
  /// Those that live in these processes, ascending as they are.
  [[nodiscard]] std::vector<int> contexts_of(std::span<const int> of) const;
  [[nodiscard]] int processes() const noexcept { return static_cast<int>(threads.size()); }
  [[nodiscard]] int most_threads() const noexcept;
  [[nodiscard]] Seat seat(int process, int thread) const noexcept;
  /// The process in which a context lives.
  [[nodiscard]] int process_of(int context) const noexcept;
  /// The other context of the flow. @pre two parties
  [[nodiscard]] int partner_of(const Seat& seat) const noexcept { return (seat.context + flows) % contexts(); }

  bool operator==(const Team&) const = default;
};

/// `flows` flows of `parties` contexts. As threads each party has a process, or all have one (Placement::one_process).
/// @throws PlanError if contexts are processes and shall be in one
Team make_team(int flows, int parties, Contexts contexts, Placement placement);

}  // namespace raddle::bench
