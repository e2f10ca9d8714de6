// SPDX-License-Identifier: BSD-3-Clause
// Hands messages over between ranks of one node in memory that they share: each lays out what it has for the others,
// and when all have done so each takes what is its own. What finds no room there travels in another way. Knows no MPI.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/message.hpp"

namespace raddle::sparse {

/// What one member sees of the board. One thread at a time; rounds follow each other, and each member makes all.
class SharedBoard {
 public:
  // Of a member, in a round.
  static constexpr std::size_t room = std::size_t{1} << 17U;  ///< bytes of all its messages
  static constexpr std::size_t most_messages = std::size_t{1} << 10U;

  /// What a board needs. @param members  at least 1
  [[nodiscard]] static std::size_t memory_of(std::size_t members);

  /// @param memory  memory_of(members) bytes, all zeros when the first one comes; the same for all members
  SharedBoard(std::span<std::byte> memory, std::size_t members, std::size_t member);

  /// Begins a round: lays out messages, whose ranks are members.
  /// @returns those that find no room. All for a member do or none, so that they stay in their order
  std::vector<Message> post(std::span<const Message> messages);

  /// Whether all have laid theirs out.
  [[nodiscard]] bool complete() const {
    return std::atomic_ref(*posted_).load(std::memory_order_acquire) >= round_ * members_;
  }

  /// Messages of a member that found no room.
  struct Apart {
    std::size_t member;
    std::size_t messages;
  };
  /// Takes what is for this member, by sender; the round is over. @pre complete()
  [[nodiscard]] std::vector<Apart> take(Sink& sink);

 private:
  /// A message that lies in the room.
  struct Descriptor {
    std::uint32_t next;  ///< of those for the same member: index + 1, or 0
    std::uint32_t place;
    std::uint64_t bytes;
  };
  /// What is for a member.
  struct Slot {
    std::uint32_t first;  ///< descriptor: index + 1, or 0
    std::uint32_t last;
    std::uint32_t apart;  ///< messages
    std::uint32_t unused;
  };
  /// What a member has for the others in a round.
  struct Sheet {
    Slot* slots;
    Descriptor* descriptors;
    std::byte* room;
  };

  [[nodiscard]] static std::size_t memory_of_sheet(std::size_t members);
  [[nodiscard]] Sheet sheet(std::size_t member, std::uint64_t round) const;

  std::byte* sheets_;
  std::uint64_t* posted_;  ///< by all members, in all rounds
  std::size_t members_;
  std::size_t member_;
  std::uint64_t round_ = 0;                            ///< 1 is the first
  std::array<std::vector<std::uint32_t>, 2> written_;  ///< slots of the own sheets
};

}  // namespace raddle::sparse
