// SPDX-License-Identifier: BSD-3-Clause
// How packets and large messages reach endpoints of other nodes, and what takes those that come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "endpoints/datatypes/body.hpp"
#include "engines/direct/packet.hpp"

namespace raddle::direct {

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
  /// A packet of this owner that had to wait for room has left.
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

/// Packets between two endpoints arrive in the order in which they were sent. All calls come with the port's lock held.
class Network {
 public:
  virtual ~Network() = default;

  /// Messages up to this length go as packets.
  [[nodiscard]] virtual std::size_t eager() const = 0;

  /// Takes a packet: its room for so many bytes of payload, valid until send(); nullptr if too many are under way.
  virtual std::byte* packet(std::size_t payload) = 0;
  /// Sends the packet that was taken last.
  virtual void send(int peer, const Header& header) = 0;

  /// Sends a large message in one piece, beside the packets.
  /// @param synchronous  it stays in the program's memory until it is received
  /// @returns the tag by which its receiver gets it
  virtual std::int64_t send_body(int peer, std::span<const std::byte> body, bool synchronous, Reference owner) = 0;
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
