// SPDX-License-Identifier: BSD-3-Clause
// How packets and large messages reach endpoints of other nodes, and what takes those that come.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>

#include "endpoints/datatypes/body.hpp"
#include "engines/direct/matching.hpp"

namespace raddle::direct {

// What endpoints tell each other: a header, then a payload of the length that the transport knows.

/// By kind a handler knows its packets. These are all of two-sided messages.
enum class PacketKind : std::uint8_t {
  eager,         ///< payload: the message
  eager_ack,     ///< payload: Reference of the send, then the message; to be acknowledged when it is matched
  rts,           ///< request to send; payload: Reference of the send. The receiver answers `cts`, then come `part`s
  rts_get,       ///< payload: RtsGet; the receiver copies out of the sender's memory, then says `fin`
  rts_pipeline,  ///< payload: RtsGet of a Pipeline; the sender copies into its ring, the receiver out of it
  rts_beside,    ///< payload: RtsBeside; the message itself travels beside the packets
  cts,           ///< clear to send; payload: Cts
  part,          ///< payload: Reference of the receive, then the next bytes of the message
  fin,           ///< payload: Fin; the send is complete
  withdraw,  ///< payload: Reference of a send to be cancelled, if it is not matched yet; tag 1: to be answered if it is
};

/// An operation in the process that wrote the reference; others hand it back unread. 0: none
using Reference = std::uint64_t;

/// A transport carries it unread. Two words: what is matched, and what else has to be known, of which a length that is
/// compared with a room tells an eager packet from others by the way.
struct Header : Envelope {
  Header() = default;
  Header(PacketKind what, std::int32_t from, std::int32_t with_tag, std::size_t length)
      : Envelope{from, with_tag}, bytes(length), kind(what) {}

  std::uint64_t bytes : 56 = 0;  ///< of the whole message; with `part`, of that part
  PacketKind kind : 8 = PacketKind::eager;

  /// Writes that of an eager packet.
  [[gnu::always_inline]] static void write_eager(std::byte* place, std::int32_t from, std::int32_t with_tag,
                                                 std::size_t length) {
    if constexpr (std::endian::native != std::endian::little) {
      new (place) Header(PacketKind::eager, from, with_tag, length);
      return;
    }
    auto& header = *new (place) Header;
    // Two stores: GCC would put the words together by vector registers.
    std::atomic_ref(header.source).store(from, std::memory_order_relaxed);
    std::atomic_ref(header.tag).store(with_tag, std::memory_order_relaxed);
    std::memcpy(place + sizeof(Envelope), &length, sizeof length);
  }

  /// Whether it is an eager packet whose message is not longer than this.
  [[nodiscard]] bool is_eager_up_to(std::size_t room) const { return bytes_of_eager() <= room; }
  /// Of another packet more than anything can be long.
  [[nodiscard]] std::size_t bytes_of_eager() const {
    if constexpr (std::endian::native != std::endian::little) return kind == PacketKind::eager ? bytes : ~0UL;
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const std::byte*>(this) + sizeof(Envelope), sizeof word);
    return word;  // the kind is its uppermost byte
  }
};
static_assert(sizeof(Header) == 16 && PacketKind{} == PacketKind::eager);

struct RtsGet {
  Reference send = 0;          ///< 0: it has ended
  std::uint64_t address = 0;   ///< of the message in the sender's memory; 0: it must not be read there
  std::int64_t transfer = -1;  ///< the sender's Transfer or Pipeline through which both copy; -1: none
};

struct Cts {
  Reference send = 0;
  Reference receive = 0;
};

struct Fin {
  Reference send = 0;
  std::uint64_t cancelled = 0;  ///< 1: the send was withdrawn, and nobody has received it
};

/// The message comes by a tag of its own on the lane.
struct RtsBeside {
  Reference send = 0;
  std::int64_t tag = 0;
};

/// What a packet has in front of, or instead of, a body.
template <typename Prefix>
Prefix prefix_of(std::span<const std::byte> payload) {
  Prefix prefix;
  std::memcpy(&prefix, payload.data(), sizeof prefix);
  return prefix;
}

/// How far one step reads what has come. A look for more costs: an inbox's next entry takes the line from its sender, a
/// network enters the kernel. So who waits for one message looks again only if it was not his.
enum class Reading : std::uint8_t { all, to_match };

/// A protocol, as what carries its packets calls it. An owner is what the protocol has named for what it sends or
/// receives.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

  /// A packet has come. Its payload, maybe with more bytes behind it, stays until this returns.
  /// @returns whether somebody waited for it
  virtual bool packet_arrived(const Header& header, std::span<const std::byte> payload) = 0;
  /// A packet of this owner that had to wait has left.
  virtual void packet_sent(const Header& header, Reference owner) = 0;
  /// A large message is out of the program's memory.
  virtual void body_sent(Reference owner) = 0;
  /// A large message has come, and lies in the room that was named for it.
  virtual void body_received(Reference owner) = 0;
  /// A step of what it has under way; not called where that is nothing.
  virtual void step() = 0;

 protected:
  ~Handler() = default;
};

/// Packets between two endpoints arrive in the order in which they were sent. Several to one peer may travel in one
/// message. All calls come with the port's lock held.
class Network {
 public:
  virtual ~Network() = default;

  /// Messages up to this length go as packets.
  [[nodiscard]] virtual std::size_t eager() const = 0;

  /// Takes a packet: its room for so many bytes of payload, valid until add(); nullptr if too many messages are under
  /// way.
  virtual std::byte* packet(int peer, std::size_t payload) = 0;
  /// Adds the packet that was taken last to the message to its peer.
  virtual void add(const Header& header) = 0;
  /// Sends the message, if there is one.
  virtual void push() = 0;
  /// Whether packets may wait for others: somebody makes a step while the program computes.
  [[nodiscard]] virtual bool may_wait() const = 0;

  /// For a large message, by which its receiver gets it.
  virtual std::int64_t body_tag() = 0;
  /// Sends a large message in one piece, beside the packets. Best after the packet that tells the tag: its receiver is
  /// ready for it then.
  /// @param synchronous  it stays in the program's memory until it is received
  virtual void send_body(int peer, std::int64_t tag, std::span<const std::byte> body, bool synchronous,
                         Reference owner) = 0;
  /// Receives one of so many bytes; what is beyond the room is dropped.
  virtual void receive_body(int peer, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                            Reference owner) = 0;
  /// Receives one to throw it away.
  virtual void drop_body(int peer, std::int64_t tag, std::size_t bytes) = 0;
  /// Whether some that are thrown away have not come yet: their memory is the network's.
  [[nodiscard]] virtual bool drops_bodies() const = 0;

  /// Tells the handler what has come and what has left.
  virtual void poll(Handler& handler, Reading reading) = 0;
};

}  // namespace raddle::direct
