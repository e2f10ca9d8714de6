// SPDX-License-Identifier: BSD-3-Clause
// Two-sided messages over a transport: which receive gets which message, and how it goes there. Knows no MPI.
//
// A message goes by one of these ways, which its sender chooses:
//   eager         short: the sender copies it into the receiver's inbox, the receiver out of it
//   rts_pipeline  long, in one piece, to another process of the node: through the sender's ring, both copy at a time
//   rts_get       long, in one piece, and the sender's memory can be reached: one copy; with a Transfer, by both
//   rts           long otherwise: once matched and answered (CTS), it goes through the inbox in parts
//   rts_beside    long, in one piece, to another node: beside the packets
//
// One thread at a time, but for send_now(): their port has the lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "endpoints/datatypes/body.hpp"
#include "endpoints/requests/ended.hpp"
#include "engines/direct/copy_choice.hpp"
#include "engines/direct/matching.hpp"
#include "engines/direct/network.hpp"
#include "engines/direct/recent_targets.hpp"
#include "engines/direct/transport.hpp"
#include "platform/copy_bytes.hpp"

namespace raddle::direct {

// A send or a receive that is under way at an endpoint.

enum class Outcome : std::uint8_t {
  good,
  truncated,  ///< the message was longer than the room; what fits has been received (MPI-4.1 section 3.2.4)
  cancelled,
  unreachable,  ///< the sender's memory could not be read
};

/// Whoever reads its end may read the rest, and may give the operation another use: completing is the last access.
///
/// What a short message needs is in the first line, but for its status.
struct alignas(64) Operation : Posted {
  endpoints::Body body;
  endpoints::End end{endpoints::Ended::no};
  Outcome outcome = Outcome::good;
  bool sends = false;
  bool synchronous = false;  ///< a send that completes when it is matched

  // What became of a receive: its message.
  Envelope came;
  std::size_t bytes = 0;

  int peer = 0;                ///< of a send: to whom; of a receive: from whom the message under way comes
  std::size_t moved = 0;       ///< bytes of the message that have been moved
  Reference other_side = 0;    ///< the operation of the peer
  std::uint64_t address = 0;   ///< of a receive: where the message lies in the sender's process
  std::int64_t transfer = -1;  ///< the sender's Transfer or Pipeline, if both may copy
  bool pipelined = false;      ///< it is a Pipeline
  node::Target target{};       ///< of a receive, where it lies
  unsigned idle = 0;           ///< of a receive: how often nothing had come through any ring of the sender's process
  std::uint64_t seen = 0;      ///< of a receive: what had come through them
  bool beside = false;         ///< of a send: the message travels beside the packets
  std::int64_t body_tag = 0;   ///< by which
  enum class Cancelling : std::uint8_t {
    no,
    asked,
    unanswerable,  ///< asked; the receiver's process has left
    answered,
  } cancelling = Cancelling::no;  ///< a send

  Operation* next_active = nullptr;  ///< of those that progress has to do something for
  Operation** active_link = nullptr;

  /// Its outcome means something only where it has not ended well.
  void end_well() { end.store(endpoints::Ended::well, std::memory_order_release); }
  void complete(Outcome how) {
    outcome = how;
    end.store(how == Outcome::good ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
  }
  [[nodiscard]] bool complete() const { return end.load(std::memory_order_acquire) != endpoints::Ended::no; }
};

inline Reference reference_to(Operation& operation) { return reinterpret_cast<Reference>(&operation); }
inline Operation& operation_of(Reference reference) { return *reinterpret_cast<Operation*>(reference); }

/// A message that came before its receive: its packet.
struct Kept : Arrived {
  Header header;
  std::size_t payload_bytes = 0;
  [[nodiscard]] std::span<const std::byte> payload() const {
    return {reinterpret_cast<const std::byte*>(this + 1), payload_bytes};
  }
};

class Messages final : public Handler {
 public:
  /// @param transport  all of its packets are of messages
  /// @param eager  the longest message that goes through the inbox of another process
  /// @param least_in_pipeline  the shortest message for another process that goes through a ring, if there are rings
  Messages(Transport& transport, std::size_t eager, std::size_t least_in_pipeline);

  /// Sends a short message in one piece, if it can be sent at once. Concerns the transport only, so it takes no lock.
  [[nodiscard, gnu::always_inline]] static bool send_now(Transport& transport, int to, int tag, const std::byte* data,
                                                         std::size_t bytes) {
    return transport.send_in_a_cell(to, tag, data, bytes) ||
           transport.send_now(to, PacketKind::eager, tag, {data, bytes});
  }

  /// Begins a send; `operation` has its body and mode, and stays until it is complete.
  void send(int to, int tag, Operation& operation);

  /// Begins a receive; `operation` has its body, and stays until it is complete.
  void receive(int source, int tag, Operation& operation) {
    operation.sends = false;
    operation.source = source;
    operation.tag = tag;
    // What lies in the inbox finds it there, in the order of its arrival.
    if (Arrived* const found = matching_.find(source, tag)) [[unlikely]] {
      receive_kept(*found, operation);
    } else {
      matching_.post(operation);
    }
  }
  /// Whether post_to_one() is all of receive().
  [[nodiscard]] bool nothing_unusual() const { return matching_.nothing_unusual(); }
  /// @pre  it does not say that it sends
  [[gnu::always_inline]] void post_to_one(const Envelope& envelope, Operation& operation) {
    operation.source = envelope.source;
    operation.tag = envelope.tag;
    matching_.post_to_one(operation);
  }
  /// Begins the receive of a message that was taken by take().
  void receive(Kept& message, Operation& operation);

  /// The next message that a receive would get; nullptr: none has come.
  [[nodiscard]] Kept* find(int source, int tag) const { return static_cast<Kept*>(matching_.find(source, tag)); }
  /// As find(); the message belongs to the caller from then on, who has to receive it.
  Kept* take(int source, int tag);

  /// Asks for an operation to be cancelled; it completes one way or the other.
  void cancel(Operation& operation);

  /// Bytes that have been moved of long messages under way.
  [[nodiscard]] std::uint64_t moved() const;
  /// What waits, for people.
  [[nodiscard]] std::string describe() const;

  [[gnu::always_inline]] bool packet_arrived(const Header& header, std::span<const std::byte> payload) override;
  void packet_sent(const Header& header, Reference owner) override;
  void body_sent(Reference owner) override;
  void body_received(Reference owner) override;
  void step() override;

 private:
  bool other_arrived(const Header& header, std::span<const std::byte> payload);
  /// Receives an eager message whose receive is known, if it lies in one piece and has room; does nothing else.
  [[gnu::always_inline]] static bool take_in(const Header& header, const std::byte* payload, Operation& operation) {
    if (operation.body.scattered != nullptr || !header.is_eager_up_to(operation.body.bytes)) [[unlikely]]
      return false;
    const std::size_t bytes = header.bytes_of_eager();
    platform::copy_bytes(operation.body.data, payload, bytes);
    operation.came = static_cast<const Envelope&>(header);
    operation.bytes = bytes;
    return true;
  }
  void activate(Operation& operation);
  void retire(Operation& operation);

  // messages_send.cpp: the sender's side
  [[nodiscard]] std::size_t most_eager(int to) const;
  void send_rts(int to, const Header& header, Operation& operation);
  void send_beside(Operation& operation);
  void send_parts(Operation& operation);
  void help(Operation& operation);
  // through a ring
  /// @returns false: another way is better
  bool send_in_pipeline(int to, int tag, Operation& operation);
  void push(Operation& operation, std::size_t most);
  void push_more(Operation& operation);
  bool end_pipelined(Operation& operation);
  void free_pipelines();
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  void give_room();
  /// Of what there is one for each other process; some may share one.
  static constexpr std::size_t processes = 16;
  [[nodiscard]] CopyChoice& choice_of(pid_t process) { return choices_[static_cast<std::size_t>(process) % processes]; }
  [[nodiscard]] std::uint64_t& taken_from(pid_t process) {
    return taken_from_[static_cast<std::size_t>(process) % processes];
  }
  void cancel_send(Operation& operation);
  void end_withdrawn();
  void finished(Operation& operation, Outcome outcome);
  void end_send(Operation& operation, Outcome outcome);

  // messages_receive.cpp: the receiver's side
  void receive_kept(Arrived& found, Operation& operation);
  void keep(const Header& header, std::span<const std::byte> payload);
  void forget(Kept& message);
  void deliver(const Header& header, std::span<const std::byte> payload, Operation& operation);
  static void write(Operation& operation, std::span<const std::byte> bytes);
  static void write_out_of_ring(Operation& operation, std::span<const std::byte> bytes);
  [[nodiscard]] node::Target target_of(const Operation& operation);
  void finish_receive(Operation& operation, std::size_t message);
  void withdrawn(const Header& header, Reference send);
  void start_copy(const Header& header, const RtsGet& rts, Operation& operation);
  void copy_step(Operation& operation);
  void finish_copy(Operation& operation, Outcome outcome);
  void start_pipeline(const Header& header, const RtsGet& rts, Operation& operation);
  void take_from_pipeline(Operation& operation);
  [[nodiscard]] bool pull(Operation& operation, Pipeline& pipeline);

  Transport& transport_;
  Matching matching_;
  LinkedQueue<Operation, &Operation::next_active, &Operation::active_link> active_;  ///< those that need steps
  std::uint64_t free_transfers_ = ~std::uint64_t{0};
  std::size_t eager_;
  std::size_t least_in_pipeline_;
  // Pipelines are used in turn, and get room in the ring in turn.
  std::uint64_t next_pipeline_ = 0;
  std::uint64_t roomless_pipeline_ = 0;  ///< the first that has no room yet
  std::uint64_t first_pipeline_ = 0;     ///< that is not over, or has no room
  std::uint64_t ring_begin_ = 0;         ///< positions, of what is used
  std::uint64_t ring_end_ = 0;
  struct InRing {
    std::uint64_t end = 0;  ///< of its room
    pid_t process = 0;      ///< that receives it
  };
  std::array<InRing, transfers_of_each> in_ring_{};  ///< of each pipeline
  std::array<CopyChoice, processes> choices_;
  std::array<std::uint64_t, processes> taken_from_{};  ///< bytes that have come out of their rings
  RecentTargets targets_;
  std::unordered_map<const Operation*, std::vector<std::byte>> aside_;  ///< the back of messages that lie in pieces
  std::vector<Operation*> withdrawn_;              ///< sends on the node that are to be cancelled, not answered yet
  std::pmr::unsynchronized_pool_resource memory_;  ///< of messages that are kept
};

[[gnu::always_inline]] inline bool Messages::packet_arrived(const Header& header, std::span<const std::byte> payload) {
  Posted* const receive = matching_.match_at_once(header, [&](Posted& posted) __attribute__((always_inline)) {
    return take_in(header, payload.data(), static_cast<Operation&>(posted));
  });
  if (receive == nullptr) [[unlikely]]
    return other_arrived(header, payload);
  static_cast<Operation*>(receive)->end_well();
  return true;
}

}  // namespace raddle::direct
