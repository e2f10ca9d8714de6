// SPDX-License-Identifier: BSD-3-Clause
// Where all ranks of a communicator meet whose processes share memory. What a rank brings lies there if it is short; of
// what is long the seat says where it is, and the others copy from there and to there, where the system lets them.
// Knows no MPI.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "endpoints/collectives/meeting.hpp"

namespace raddle::endpoints::collectives {

/// Addresses in the memory of a rank's process.
struct Reference {
  const std::byte* data = nullptr;  ///< what it brings, or for several pieces: `bytes` of std::span<const std::byte>
  std::size_t bytes = 0;
  std::byte* room = nullptr;  ///< where its result is to be
};

class NodeMeeting {
 public:
  /// Each rank looks at all others: with more of them the way by processes is shorter.
  static constexpr int most_ranks = 64;

  /// Bytes that the meeting of so many ranks needs.
  [[nodiscard]] static std::size_t memory(int ranks);

  /// @param memory    shared by all processes, memory(ranks) bytes, zeros at first, aligned as a Seat
  /// @param processes of each rank the process, 0: this one; empty: processes do not reach each other's memory
  NodeMeeting(int ranks, std::byte* memory, std::vector<pid_t> processes);

  /// Makes what a rank has in the memory, and the first one what belongs to all. Before others look.
  void make_place(int rank);

  [[nodiscard]] Meeting& meeting() { return meeting_; }
  [[nodiscard]] const Meeting& meeting() const { return meeting_; }
  /// Whether references can be followed.
  [[nodiscard]] bool reaches() const { return !processes_.empty(); }
  /// The most bytes that can be put here.
  [[nodiscard]] std::size_t room() const { return room_; }
  /// How much of what is longer is put here at a time: some of it is put while some is taken.
  [[nodiscard]] std::size_t round() const { return std::min(room_, most_of_a_round); }

  // What a rank brings to collective `number`, before it arrives.
  void put(std::uint64_t number, int rank, std::span<const std::byte> bytes);
  /// Several pieces. @returns whether they fit
  [[nodiscard]] bool put_pieces(std::uint64_t number, int rank, std::span<const std::span<const std::byte>> pieces);
  [[nodiscard]] static std::size_t room_for(std::size_t pieces, std::size_t bytes) {
    return (pieces + 1) * sizeof(std::uint32_t) + bytes;
  }
  void refer(std::uint64_t number, int rank, const Reference& reference);

  // What a rank has brought.
  /// What lies here; nothing: it has given a reference
  [[nodiscard]] std::optional<std::span<const std::byte>> here(std::uint64_t number, int rank);
  /// The same of several pieces.
  [[nodiscard]] std::optional<std::span<const std::byte>> piece_here(std::uint64_t number, int rank, int piece);
  [[nodiscard]] Reference reference(std::uint64_t number, int rank);

  // Memory of a rank's process. @returns false: the system does not let us
  [[nodiscard]] bool is_local(int rank) const { return processes_[static_cast<std::size_t>(rank)] == 0; }
  [[nodiscard]] bool read(int rank, const std::byte* from, std::span<std::byte> to) const;
  [[nodiscard]] bool write(int rank, std::byte* to, std::span<const std::byte> from) const;

 private:
  static constexpr std::size_t most_of_a_round = std::size_t{32} * 1024;

  [[nodiscard]] std::byte* place(std::uint64_t number, int rank, std::size_t bytes);

  int ranks_;
  std::size_t room_;
  std::span<Seat> seats_;
  std::span<Shares> shares_;
  Discord* discord_;
  std::byte* rooms_;
  Meeting meeting_;
  std::vector<pid_t> processes_;
};

}  // namespace raddle::endpoints::collectives
