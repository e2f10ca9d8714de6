// SPDX-License-Identifier: BSD-3-Clause
// Which processes of a node that share memory have ended, though the others need them still. One that needs them no
// longer says so there: its end is no failure. Knows no MPI.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "node/process_watch.hpp"

namespace raddle::node {

class Departures {
 public:
  /// Bytes that so many processes need.
  [[nodiscard]] static constexpr std::size_t memory(std::size_t processes) { return processes * sizeof(Presence); }

  /// @param shared  memory(processes) bytes, zeros at first, aligned as a cache line @param self  this one's index
  Departures(std::byte* shared, std::size_t processes, std::size_t self);
  Departures(const Departures&) = delete;
  Departures& operator=(const Departures&) = delete;

  /// From here on the end of one is noticed. @param processes  all of them, which see each other's pids
  void watch(std::span<const Process> processes);

  /// One that has ended without having left, once watch() has been called. One thread at a time.
  [[nodiscard]] std::optional<std::size_t> lost();
  /// Not 0 when this one has left.
  [[nodiscard]] const std::atomic<std::uint64_t>& left(std::size_t process) const { return presence_[process].left; }
  /// This process leaves.
  void leave();

 private:
  /// What a process tells the others through the memory.
  struct alignas(64) Presence {
    std::atomic<std::uint64_t> left{0};
  };

  std::span<Presence> presence_;
  std::size_t self_;
  std::optional<ProcessWatch> watch_;
};

}  // namespace raddle::node
