// SPDX-License-Identifier: BSD-3-Clause
// A partitioned send and its receive whose processes reach each other's memory: data go straight from one buffer to the
// other, and no message is sent.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "node/shared_segment.hpp"
#include "partitioned/carrier.hpp"
#include "partitioned/groups.hpp"

namespace raddle::partitioned {

// What sender and receiver share where partitions go straight into the receiver's buffer. Lies in the memory of a
// process, or in memory that two of them share.
//
// Who copies a group of partitions where sender and receiver reach each other's memory? Whoever comes second: the
// sender's thread that makes the last partition ready, if the receiver has started the round, or else the receiver when
// it does. Both look after they have left word, so one of them sees the other; if both do, a compare-and-swap decides.
// Knows no MPI.

/// How far a group is: counted in rounds, from 1 on, so that there is nothing to reset.
/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class alignas(64) BasicGroupState {
 public:
  /// The sender: all its partitions are ready in `round`.
  void set_ready(std::uint64_t round) { state_.store(word(round, ready), std::memory_order_seq_cst); }

  /// Either side. @returns whether it is ready in `round`, and the caller is the one who copies it
  [[nodiscard]] bool claim(std::uint64_t round) {
    std::uint64_t expected = word(round, ready);
    return state_.load(std::memory_order_seq_cst) == expected &&
           state_.compare_exchange_strong(expected, word(round, copying), std::memory_order_seq_cst);
  }

  /// Who has claimed it: the bytes are in the receiver's memory.
  void set_arrived(std::uint64_t round) { state_.store(word(round, arrived), std::memory_order_release); }

  /// What is in the receiver's memory is visible then.
  [[nodiscard]] bool has_arrived(std::uint64_t round) const {
    return state_.load(std::memory_order_acquire) >= word(round, arrived);
  }

 private:
  enum Phase : std::uint64_t { ready, copying, arrived };
  static constexpr std::uint64_t word(std::uint64_t round, Phase phase) { return 4 * round + phase; }

  Atomic<std::uint64_t> state_{0};
};

using GroupState = BasicGroupState<>;

/// The receiver's side of the question: up to which round it takes groups.
template <template <typename> class Atomic = std::atomic>
class BasicOpenRound {
 public:
  void open(std::uint64_t round) { round_.store(round, std::memory_order_seq_cst); }
  [[nodiscard]] bool is_open(std::uint64_t round) const { return round_.load(std::memory_order_seq_cst) >= round; }

 private:
  Atomic<std::uint64_t> round_{0};
};

using OpenRound = BasicOpenRound<>;

struct LinkMemory {
  /// One side's memory. Written before it is `there`.
  struct Side {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    pid_t process = 0;
    std::atomic<bool> there{false};
  };

  Side sender;
  std::uint64_t group_bytes = 0;  ///< of each but the last; with the sender
  std::int32_t groups = 0;        ///< with the sender
  Side receiver;

  alignas(64) OpenRound open;
  alignas(64) std::atomic<std::uint64_t> arrived{0};  ///< groups, in all rounds
  std::atomic<bool> failed{false};                    ///< the system has not let one copy
  alignas(64) std::atomic<std::uint32_t> looks{0};    ///< of the receiver for groups to copy
  std::atomic<bool> copies{false};                    ///< the receiver is about it
  alignas(64) GroupSet offered;                       ///< that the sender has left to whoever has time
  std::array<GroupState, most_groups> states;
};

class Link {
 public:
  /// Of two requests of this process.
  Link();
  /// With another process, which is to open it. @throws std::system_error: there is no memory for it
  static std::shared_ptr<Link> create();
  /// What another process has created. @throws std::system_error
  static std::shared_ptr<Link> open(const Notice& notice);

  /// Tells the other side where this is. @pre made by create()
  void describe(Notice& notice) const;

  // Each side once, before all else. What is at `data` stays as long as this does.
  void join_as_sender(const std::byte* data, std::size_t bytes, std::size_t group_bytes, int groups);
  void join_as_receiver(std::byte* data, std::size_t bytes);

  /// The sender: a group is ready in `round`.
  void ready(int group, std::uint64_t round);
  /// The receiver: its buffer may be written to in `round`.
  void open_round(std::uint64_t round);

  /// A side that waits copies what is left to it: both sides from different ends.
  void help_as_sender(std::uint64_t round);
  void help_as_receiver(std::uint64_t round);

  // Of the sender. The receiver knows nothing of it before it is there.
  [[nodiscard]] bool sender_there() const { return memory_->sender.there.load(std::memory_order_acquire); }
  [[nodiscard]] std::size_t bytes() const { return memory_->sender.bytes; }
  [[nodiscard]] std::size_t group_bytes() const { return memory_->group_bytes; }
  [[nodiscard]] int groups() const { return memory_->groups; }
  [[nodiscard]] bool has_arrived(int group, std::uint64_t round) const { return state(group).has_arrived(round); }

  /// Either side: how many groups are in the receiver's buffer, of all rounds so far.
  [[nodiscard]] std::uint64_t arrived() const { return memory_->arrived.load(std::memory_order_acquire); }
  [[nodiscard]] bool failed() const { return memory_->failed.load(std::memory_order_relaxed); }

 private:
  explicit Link(node::SharedSegment segment, LinkMemory* memory);

  [[nodiscard]] GroupState& state(int group) const { return memory_->states[static_cast<std::size_t>(group)]; }
  void join(LinkMemory::Side& side, const std::byte* data, std::size_t bytes) const;
  /// Copies those of these groups that nobody has.
  void help(Range groups, std::uint64_t round) const;
  void copy(Range groups, std::uint64_t round) const;
  /// How many groups one side takes at once of what both can take.
  [[nodiscard]] int run() const;

  std::atomic<std::uint32_t> seen_looks_{0};  ///< by the sender
  std::unique_ptr<LinkMemory> own_;
  std::optional<node::SharedSegment> segment_;
  LinkMemory* memory_;
};

// The links of partitioned requests of which both sides are in this process: each finds the other here.

class OwnLinks {
 public:
  struct Key {
    const void* communicator;  ///< the same for both
    int from;
    int to;
    int tag;
    std::uint64_t number;  ///< of the send, and of the receive, with these

    auto operator<=>(const Key&) const = default;
  };

  /// Each side once, any thread: whoever comes first makes the link.
  static std::shared_ptr<Link> join(const Key& key);
  /// The communicator is no more, and another one may get its address.
  static void forget(const void* communicator);
};

}  // namespace raddle::partitioned
