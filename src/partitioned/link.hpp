// SPDX-License-Identifier: BSD-3-Clause
// A partitioned send and its receive whose processes reach each other's memory: data go straight from one buffer to the
// other, and no message is sent.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "node/shared_segment.hpp"
#include "partitioned/block.hpp"
#include "partitioned/carrier.hpp"

namespace raddle::partitioned {

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
  [[nodiscard]] bool sender_there() const { return block_->sender.there.load(std::memory_order_acquire); }
  [[nodiscard]] std::size_t bytes() const { return block_->sender.bytes; }
  [[nodiscard]] std::size_t group_bytes() const { return block_->group_bytes; }
  [[nodiscard]] int groups() const { return block_->groups; }
  [[nodiscard]] bool has_arrived(int group, std::uint64_t round) const { return state(group).has_arrived(round); }

  /// Either side: how many groups are in the receiver's buffer, of all rounds so far.
  [[nodiscard]] std::uint64_t arrived() const { return block_->arrived.load(std::memory_order_acquire); }
  [[nodiscard]] bool failed() const { return block_->failed.load(std::memory_order_relaxed); }

 private:
  explicit Link(node::SharedSegment segment, Block* block);

  [[nodiscard]] GroupState& state(int group) const { return block_->states[static_cast<std::size_t>(group)]; }
  void join(Block::Side& side, const std::byte* data, std::size_t bytes) const;
  /// Copies those of these groups that nobody has.
  void help(Range groups, std::uint64_t round) const;
  void copy(Range groups, std::uint64_t round) const;
  /// How many groups one side takes at once of what both can take.
  [[nodiscard]] int run() const;

  std::atomic<std::uint32_t> seen_looks_{0};  ///< by the sender
  std::unique_ptr<Block> own_;
  std::optional<node::SharedSegment> segment_;
  Block* block_;
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
