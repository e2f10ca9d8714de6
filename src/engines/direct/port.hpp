// SPDX-License-Identifier: BSD-3-Clause
// Where an endpoint meets the others: it sends into their inboxes, reads its own, and matches. Knows no MPI.
//
// A message goes by one of these ways, which its sender chooses:
//   eager       short: the sender copies it into the receiver's inbox, the receiver out of it
//   rts_get     long, in one piece, and the receiver can reach the sender's memory: one copy; with a Transfer, both
//   copy rts         long otherwise: once matched and answered (CTS), it goes through the inbox in parts rts_beside
//   long, in one piece, to another node: beside the packets
//
// Any thread may call; a lock for the whole port is held for a look at the inbox or one step of a long message.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/direct/linked_queue.hpp"
#include "engines/direct/matching.hpp"
#include "engines/direct/network.hpp"
#include "engines/direct/operation.hpp"
#include "engines/direct/packet.hpp"
#include "engines/inbox.hpp"
#include "node/transfer.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/spin_lock.hpp"
#include "platform/waiting.hpp"

namespace raddle::direct {

using engines::Inbox;
using node::Transfer;
using platform::copy_bytes;

/// What a port knows of an endpoint that it may send to; its own is one of them.
struct Peer {
  Inbox* inbox = nullptr;               ///< nullptr: it is on another node
  pid_t process = 0;                    ///< 0: of this process
  bool reachable = false;               ///< either can copy from and to the memory of the other
  std::size_t eager = ~std::size_t{0};  ///< the longest message that is copied through its inbox, if shorter than usual
  Transfer* transfers = nullptr;        ///< those of its RTS; as many as `transfers_of_each`
  const std::atomic<std::uint64_t>* left = nullptr;  ///< not 0: its process, another one, reads its inbox no more
};
constexpr int transfers_of_each = 64;

/// What may keep a blocked call from ending, looked into now and then.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// A call waits: one step for the other endpoints of this process.
  virtual void meanwhile() = 0;
  /// `call` has been blocked for another tenth of a second.
  virtual void blocked(const char* call) = 0;
};

/// A message that came before its receive: its packet.
struct Kept : Arrived {
  Header header;
  std::size_t payload_bytes = 0;
  [[nodiscard]] std::span<const std::byte> payload() const {
    return {reinterpret_cast<const std::byte*>(this + 1), payload_bytes};
  }
};

struct PortOptions {
  std::size_t eager = 0;  ///< longest message that is copied through an inbox; less if that has not got the room
  bool crowded = false;   ///< busy contexts exceed cores: who waits makes room at once
};

class Port final : Handler {
 public:
  /// @param peers   all endpoints that may send here or be sent to, by rank
  /// @param network nullptr: all peers are on this node
  Port(int rank, std::shared_ptr<const std::vector<Peer>> peers, const PortOptions& options, Network* network,
       Surroundings& surroundings);
  ~Port();

  /// Sends a short message in one piece, if it can be sent at once: on the node only. Takes no lock.
  [[nodiscard]] bool send_now(int to, int tag, const std::byte* data, std::size_t bytes);

  /// Begins a send; `operation` has its body and mode, and stays until it is complete.
  void send(int to, int tag, Operation& operation);

  /// Begins a receive; `operation` has its body, and stays until it is complete.
  void receive(int source, int tag, Operation& operation) {
    receive(source, tag, [&]() -> Operation& { return operation; });
  }
  /// The same with what `take` returns, which is called with the port's lock held.
  template <typename Take>
  void receive(int source, int tag, Take&& take) {
    const std::lock_guard lock(lock_);
    Operation& operation = take();
    operation.sends = false;
    operation.source = source;
    operation.tag = tag;
    // What lies in the inbox finds it there, in the order of its arrival.
    if (!receive_arrived(operation)) matching_.post(operation);
  }

  /// Something that needs the port's lock.
  template <typename Do>
  auto locked(Do&& something) {
    const std::lock_guard lock(lock_);
    return something();
  }

  /// Begins the receive of a message that was taken by take().
  void receive(Kept& message, Operation& operation);

  /// The next message that a receive would get, once progress has been made; nothing if there is none.
  std::optional<Header> probe(int source, int tag);
  /// As probe(); the message belongs to the caller from then on, who has to receive it. nullptr: none
  Kept* take(int source, int tag);

  /// Asks for an operation to be cancelled; it completes one way or the other.
  void cancel(Operation& operation);

  /// Makes progress until `ended()`, for the MPI function `call`.
  template <typename Ended>
  void wait(const char* call, Ended&& ended) {
    platform::Waiting waiting(options_.crowded);
    while (!ended()) {
      if (has_news()) {
        const bool looked = progress(Reading::to_match);
        if (ended()) return;
        if (looked && !busy())
          continue;  // news are worth another look at once; a network or a transfer is asked for ever
      }
      waiting.turn();
      if (waiting.idle()) surroundings_.meanwhile();
      if (waiting.long_wait()) surroundings_.blocked(call);
    }
  }

  /// One step, unless another thread makes one or needs the port for something else. @returns whether it was made
  bool progress(Reading reading = Reading::all);
  /// Whether a step may find anything to do. Takes no lock.
  [[nodiscard]] bool has_news() const { return reader_.ready() || busy(); }
  /// Whether something is under way that needs this port, packets that have not left among it.
  [[nodiscard]] bool unfinished() const { return unfinished_.load(std::memory_order_relaxed) != 0; }
  /// Whether messages are coming in that are thrown away.
  [[nodiscard]] bool drops_bodies() {
    return network_ != nullptr && locked([&] { return network_->drops_bodies(); });
  }
  [[nodiscard]] bool crowded() const { return options_.crowded; }
  /// Another number than before if anything has come in, or a part of a long message gone out or been copied.
  [[nodiscard]] std::uint64_t moved();

  /// What waits here, for people.
  [[nodiscard]] std::string describe();

 private:
  /// A packet that found no room.
  struct Outgoing {
    Outgoing* next = nullptr;
    Outgoing** link = nullptr;
    Header header;
    std::size_t prefix_bytes = 0;
    std::byte prefix[24];
    Operation* send = nullptr;  ///< that has not begun before this has left
  };
  using Outbox = LinkedQueue<Outgoing, &Outgoing::next, &Outgoing::link>;

  /// What changes with each peer.
  struct Line {
    Inbox* inbox = nullptr;   ///< nullptr: it is on another node
    std::size_t at_once = 0;  ///< the longest message that goes through it
    Inbox::Sender seen;
    Outbox outbox;
    std::atomic<std::uint32_t> delayed{0};  ///< packets in the outbox; none: what is sent now comes after them
  };

  [[nodiscard]] const Peer& peer_of(int rank) const { return (*peers_)[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] Line& line_of(int rank) { return lines_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool busy() const { return network_ != nullptr || unfinished(); }
  /// The most bytes of a message that an inbox takes at once.
  [[nodiscard]] static std::size_t most_in(const Inbox& inbox) {
    return inbox.max_bytes() - sizeof(Header) - sizeof(Reference);
  }

  // port_packets.cpp: packets leave
  template <typename Prefix>
  void put(int to, const Header& header, const Prefix& prefix, Operation* send) {
    put(to, header, std::as_bytes(std::span(&prefix, 1)), send);
  }
  void put(int to, const Header& header, std::span<const std::byte> prefix, Operation* send);
  [[nodiscard]] bool try_put(int to, const Header& header, std::span<const std::byte> prefix, Operation* body,
                             std::size_t body_bytes);
  void flush();
  void discard(Line& line, Outgoing& packet);

  // port_send.cpp: the sender's side
  void send_rts(int to, const Header& header, Operation& operation);
  void send_parts(Operation& operation);
  void help(Operation& operation);
  void cancel_send(Operation& operation);
  void end_withdrawn();
  void body_sent(Reference owner) override;
  void end_send(Operation& operation, Outcome outcome);
  void finished(Operation& operation, Outcome outcome);

  // port_receive.cpp: the receiver's side
  bool packet_arrived(const Header& header, std::span<const std::byte> payload) override;
  void body_received(Reference owner) override;
  void read_inbox(Reading reading);
  /// @returns whether a receive waited for the message
  bool eager(const Header& header, std::span<const std::byte> payload);
  /// @returns whether the message of a receive that begins has been there already
  bool receive_arrived(Operation& operation) {
    Arrived* const found = matching_.find(operation.source, operation.tag);
    if (found != nullptr) [[unlikely]]
      receive_kept(*found, operation);
    return found != nullptr;
  }
  void receive_kept(Arrived& found, Operation& operation);
  Kept* next_message(int source, int tag);
  void keep(const Header& header, std::span<const std::byte> payload);
  void forget(Kept& message);
  void deliver(const Header& header, std::span<const std::byte> payload, Operation& operation);
  void write(Operation& operation, std::span<const std::byte> bytes);
  void finish_receive(Operation& operation, std::size_t message);
  void withdrawn(const Header& header, Reference send);

  // port_copy.cpp: the receiver copies out of the sender's memory
  void start_copy(const Header& header, const RtsGet& rts, Operation& operation);
  void copy_step(Operation& operation);
  void copy_share(Operation& operation, Transfer& transfer);
  void finish_copy(Operation& operation, Outcome outcome);

  void step(Reading reading = Reading::all);
  void activate(Operation& operation);
  void retire(Operation& operation);

  const int rank_;
  const std::shared_ptr<const std::vector<Peer>> peers_;
  const PortOptions options_;
  Network* const network_;
  Surroundings& surroundings_;

  std::vector<Line> lines_;
  platform::SpinLock lock_;
  Inbox::Reader reader_;
  Matching matching_;
  LinkedQueue<Operation, &Operation::next_active, &Operation::active_link> active_;
  std::atomic<std::uint32_t> unfinished_{0};  ///< active and withdrawn operations, delayed packets
  std::size_t delayed_ = 0;                   ///< packets in all outboxes
  std::uint64_t free_transfers_ = ~std::uint64_t{0};
  std::vector<Operation*> withdrawn_;  ///< sends on the node that are to be cancelled, not answered yet
  std::vector<std::byte> scratch_;
  std::pmr::unsynchronized_pool_resource memory_;
};

[[gnu::always_inline]] inline bool Port::send_now(int to, int tag, const std::byte* data, std::size_t bytes) {
  Line& line = line_of(to);
  if (line.inbox == nullptr || bytes > line.at_once || line.delayed.load(std::memory_order_acquire) != 0) return false;
  const Inbox::Claim claim = line.inbox->claim(sizeof(Header) + bytes, line.seen);
  if (claim.place == nullptr) return false;
  new (claim.place) Header{PacketKind::eager, rank_, tag, bytes};
  copy_bytes(claim.place + sizeof(Header), data, bytes);
  line.inbox->publish(claim);
  return true;
}

}  // namespace raddle::direct
