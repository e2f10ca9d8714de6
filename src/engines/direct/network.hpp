// SPDX-License-Identifier: BSD-3-Clause
// How packets and large messages reach endpoints of other nodes: what a port needs of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engines/direct/packet.hpp"

namespace raddle::direct {

class Port;
struct Operation;

/// How far one step reads what has come. A look for more costs: an inbox's next entry takes the line from its sender, a
/// network enters the kernel. So who waits for one message looks again only if it was not his.
enum class Reading : std::uint8_t { all, to_match };

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

  /// Sends a large message in one piece, beside the packets. @returns what the receiver has to be told
  virtual RtsBeside send_body(int peer, Operation& operation) = 0;
  /// Receives one; the operation is complete when it has come. `message`: its length.
  virtual void receive_body(int peer, Operation& operation, const RtsBeside& rts, std::size_t message) = 0;
  /// Receives one to throw it away.
  virtual void drop_body(int peer, const RtsBeside& rts, std::size_t message) = 0;
  /// Whether some that are thrown away have not come yet: their memory is the network's.
  [[nodiscard]] virtual bool drops_bodies() const = 0;

  /// Hands the packets that have come to port.incoming(), completes what is complete.
  virtual void poll(Port& port, Reading reading) = 0;
};

}  // namespace raddle::direct
