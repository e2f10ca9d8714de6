// SPDX-License-Identifier: BSD-3-Clause
// Packets to and from an endpoint's peers, and copies out of their memory: its inbox, theirs, the network, and what has
// found no room yet. Hands each packet that arrives to a handler, and knows nothing of what it means. Knows no MPI.
//
// One thread at a time, but for send_now(), has_news(), unfinished() and position(): its port has the lock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "endpoints/datatypes/body.hpp"
#include "engines/direct/coalescing.hpp"
#include "engines/direct/matching.hpp"
#include "engines/direct/network.hpp"
#include "engines/direct/peers.hpp"
#include "engines/inbox.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/zeroed_array.hpp"

namespace raddle::direct {

class Transport {
 public:
  /// Of one copy out of a peer's memory, before others are looked at.
  static constexpr std::size_t piece = std::size_t{256} * 1024;

  /// @param rank     by which peers know this endpoint
  /// @param own      the endpoint itself
  /// @param peers    all endpoints that may send here or be sent to, by rank
  /// @param eager    the longest body that is copied through an inbox; less if that has not got the room
  /// @param network  nullptr: all peers are on this node
  Transport(int rank, const Peer& own, std::shared_ptr<const Peers> peers, std::size_t eager, Network* network);
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] const Peer& own() const { return own_; }
  /// How many endpoints there are.
  [[nodiscard]] int size() const { return static_cast<int>(lines_.size()); }
  [[nodiscard]] const Peer& peer(int rank) const { return (*peers_)[rank]; }
  /// To peers without an inbox; large bodies go there beside the packets.
  [[nodiscard]] Network* network() const { return network_; }

  /// Of a packet from here.
  [[nodiscard]] Header header(PacketKind kind, int tag = 0, std::size_t bytes = 0) const {
    return Header(kind, rank_, tag, bytes);
  }
  /// The longest body that is best sent in a packet.
  [[nodiscard]] std::size_t eager(int to) const {
    const Line& line = line_of(to);
    return line.inbox == nullptr ? network_->eager() : line.at_once;
  }
  /// The longest body that a packet takes, behind a prefix of the size of a Reference.
  [[nodiscard]] std::size_t most(int to) const {
    const Line& line = line_of(to);
    return line.inbox == nullptr ? network_->eager() : most_in(*line.inbox);
  }

  // Sending. A payload is a prefix, which is copied, and a body, which stays until the packet has left.

  /// Sends a packet whose body is short and in one piece, if it can leave at once: on the node only. Any thread.
  [[nodiscard]] bool send_now(int to, PacketKind kind, int tag, std::span<const std::byte> body);
  /// The same for an eager one that is no longer than an entry of one cell takes.
  [[nodiscard]] bool send_in_a_cell(int to, int tag, const std::byte* data, std::size_t bytes);
  /// Sends a packet if it can leave at once, before those that wait for room.
  [[nodiscard]] bool try_put(int to, const Header& header, std::span<const std::byte> prefix,
                             const endpoints::Body& body);
  /// Sends a packet after all others, once there is room.
  /// @param owner  what recall() and Handler::packet_sent() name it by
  /// @returns whether it has left
  bool put(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body,
           Reference owner);
  /// The same of one that may wait for the next ones.
  bool put_soon(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body,
                Reference owner);
  template <typename Prefix>
  bool put(int to, const Header& header, const Prefix& prefix, Reference owner = 0) {
    static_assert(sizeof prefix <= longest_prefix);
    return put(to, header, std::as_bytes(std::span(&prefix, 1)), {}, owner);
  }
  /// Takes back a packet that waits for room. @returns whether there was one
  bool recall(int to, Reference owner);

  /// Copies so many bytes from an address in a peer's memory to where byte `at` of a body belongs; if the body is
  /// scattered, its bytes come in order. @pre the peer is on the node and reachable @returns false: it cannot be read
  [[nodiscard]] bool fetch(int from, std::uint64_t address, std::size_t bytes, const endpoints::Body& to,
                           std::size_t at);

  // Progress.

  /// What has come goes to the handler, what has waited for room leaves, and the handler makes a step of its own.
  /// @tparam Protocol  a Handler. Its class is final, so that what it does with a packet is compiled into the loop; and
  ///   all of the step into its caller, which has transport and handler in one object and needs no register for each.
  template <typename Protocol>
  [[gnu::always_inline]] void step(Protocol& protocol, Reading reading) {
    if (reading == Reading::all)
      read_inbox<Reading::all>(protocol);
    else
      read_inbox<Reading::to_match>(protocol);
    if (network_ != nullptr) {
      leave(protocol);
      network_->poll(protocol, reading);
    }
    if (unfinished() == 0) return;
    flush(protocol);
    protocol.step();
  }
  /// If those that wait for others have to leave now, they do.
  void leave_if_enough(Handler& handler) {
    if (coalescing_.enough()) [[unlikely]]
      leave(handler);
  }
  /// Whether a step may find anything to do.
  [[nodiscard]] bool has_news() const { return reader_.ready() || busy(); }
  /// Whether steps do more than to read the inbox.
  [[nodiscard]] bool busy() const { return network_ != nullptr || unfinished() != 0; }

  /// A handler has something under way that needs steps, until end_work().
  void begin_work() { unfinished_.fetch_add(1, std::memory_order_relaxed); }
  void end_work() { unfinished_.fetch_sub(1, std::memory_order_relaxed); }
  /// What is under way, and packets that wait for room.
  [[nodiscard]] std::uint32_t unfinished() const { return unfinished_.load(std::memory_order_relaxed); }

  /// Whether the process of a peer reads its inbox no more. What it has sent before is in the inbox here.
  [[nodiscard]] bool has_left(int rank) const {
    return peer(rank).left != nullptr && peer(rank).left->load(std::memory_order_acquire) != 0;
  }
  /// How much has come in by the inbox, ever.
  [[nodiscard]] std::uint64_t position() const { return reader_.position(); }
  /// Whether all of it has been read.
  [[nodiscard]] bool all_read() const { return reader_.at_end(); }

  /// What waits for room, for people.
  [[nodiscard]] std::string describe() const;

 private:
  static constexpr std::uint64_t entries_at_once =
      64;  // then others are looked at: more may come in than one takes out
  static constexpr std::size_t longest_prefix = 24;
  static constexpr std::size_t in_a_cell = Inbox::in_a_cell - sizeof(Header);

  /// A packet that found no room.
  struct DelayedPacket {
    DelayedPacket* next = nullptr;
    DelayedPacket** link = nullptr;
    Header header;
    std::size_t prefix_bytes = 0;
    std::byte prefix[longest_prefix];
    endpoints::Body body;
    Reference owner = 0;
  };
  struct Left {
    Header header;
    Reference owner;
  };
  using Outbox = LinkedQueue<DelayedPacket, &DelayedPacket::next, &DelayedPacket::link>;

  /// What changes with each peer. Zeros if it is on another node, until a packet to it finds no room: of very many
  /// ranks most lie there, and few of them are sent to.
  struct alignas(64) Line {
    Inbox* inbox;  ///< nullptr: it is on another node
    /// A body that is shorter goes in a cell at once. 0: none does, since packets wait, or there is no inbox.
    std::atomic<std::size_t> below;
    Inbox::Sender seen;
    std::size_t at_once;                 ///< the longest body that goes through the inbox
    std::atomic<std::uint32_t> delayed;  ///< packets in the outbox; none: what is sent now comes after them
    bool listed;                         ///< in delayed_to_
    Outbox outbox;                       ///< made, and empty, when the line is listed

    [[nodiscard]] std::size_t usually_below() const { return inbox == nullptr ? 0 : std::min(at_once, in_a_cell) + 1; }
  };

  [[nodiscard]] Line& line_of(int rank) { return lines_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Line& line_of(int rank) const { return lines_[static_cast<std::size_t>(rank)]; }
  /// The most bytes of a body that an inbox takes at once.
  [[nodiscard]] static std::size_t most_in(const Inbox& inbox) {
    return inbox.max_bytes() - sizeof(Header) - sizeof(Reference);
  }

  template <Reading reading, typename Protocol>
  [[gnu::always_inline]] void read_inbox(Protocol& protocol) {
    std::uint64_t left = entries_at_once;
    do {
      const auto take = [&](const std::byte* entry) __attribute__((always_inline)) {
        return !arrived(protocol, entry, Inbox::in_a_cell) || reading == Reading::all;
      };
      left = reader_.read_cells(left, take);
    } while (left != 0 && read_longer(protocol, reading) && --left != 0);  // NOLINT(bugprone-inc-dec-in-conditions)
  }
  /// The entry in front, of any length. @returns whether to go on
  template <typename Protocol>
  [[gnu::noinline]] bool read_longer(Protocol& protocol, Reading reading) {
    const std::byte* const entry = reader_.front();
    if (entry == nullptr) return false;
    const bool awaited = arrived(protocol, entry, reader_.bytes());
    reader_.pop();
    return !awaited || reading == Reading::all;
  }
  /// @returns whether somebody waited for it
  template <typename Protocol>
  [[gnu::always_inline]] static bool arrived(Protocol& protocol, const std::byte* entry, std::size_t room) {
    const Header& header = *std::launder(reinterpret_cast<const Header*>(entry));
    return protocol.packet_arrived(header, {entry + sizeof header, room - sizeof header});
  }
  /// @returns whether it is on its way, or in the network's message
  [[nodiscard]] bool place(int to, const Header& header, std::span<const std::byte> prefix,
                           const endpoints::Body& body);
  void delay(int to, const Header& header, std::span<const std::byte> prefix, const endpoints::Body& body,
             Reference owner);
  /// What waits for others leaves.
  void leave(Handler& handler) {
    const bool some_wait = coalescing_.any();
    coalescing_.leave();
    if (some_wait) flush(handler);
  }
  void flush(Handler& handler);
  /// To one peer; what has left is in left_.
  void flush(int to);
  void discard(Line& line, DelayedPacket& packet);

  const int rank_;
  const Peer own_;
  std::atomic<std::uint32_t> unfinished_{0};  ///< work of handlers, delayed packets
  Network* const network_;
  Coalescing coalescing_;
  platform::ZeroedArray<Line> lines_;
  Inbox::Reader reader_;
  const std::shared_ptr<const Peers> peers_;
  std::vector<int> delayed_to_;  ///< ranks with packets in their outboxes; and some that have none any more
  std::vector<Left> left_;       ///< within flush()
  std::vector<std::byte> scratch_;
  std::pmr::unsynchronized_pool_resource memory_;  ///< of delayed packets
};

[[gnu::always_inline]] inline bool Transport::send_in_a_cell(int to, int tag, const std::byte* data,
                                                             std::size_t bytes) {
  Line& line = line_of(to);
  if (bytes >= line.below.load(std::memory_order_acquire)) [[unlikely]]
    return false;
  const Inbox::Claim claim = line.inbox->claim_cell(line.seen);
  if (claim.place == nullptr) [[unlikely]]
    return false;
  Header::write_eager(claim.place, rank_, tag, bytes);
  platform::copy_short(claim.place + sizeof(Header), data, bytes);
  line.inbox->publish(claim);
  return true;
}

}  // namespace raddle::direct
