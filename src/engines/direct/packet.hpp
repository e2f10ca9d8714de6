// SPDX-License-Identifier: BSD-3-Clause
// What endpoints tell each other: a header, then a payload of the length that the transport knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace raddle::direct {

/// By kind a handler knows its packets. These are all of two-sided messages.
enum class PacketKind : std::uint8_t {
  eager,       ///< payload: the message
  eager_ack,   ///< payload: Reference of the send, then the message; to be acknowledged when it is matched
  rts,         ///< request to send; payload: Reference of the send. The receiver answers `cts`, then come `part`s
  rts_get,     ///< payload: RtsGet; the receiver copies out of the sender's memory, then says `fin`
  rts_beside,  ///< payload: RtsBeside; the message itself travels beside the packets
  cts,         ///< clear to send; payload: Cts
  part,        ///< payload: Reference of the receive, then the next bytes of the message
  fin,         ///< payload: Fin; the send is complete
  withdraw,  ///< payload: Reference of a send to be cancelled, if it is not matched yet; tag 1: to be answered if it is
};

/// An operation in the process that wrote the reference; others hand it back unread. 0: none
using Reference = std::uint64_t;

/// A transport carries it unread.
struct Header {
  PacketKind kind{};
  std::int32_t source = 0;  ///< rank of the sender
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;  ///< of the whole message; with `part`, of that part
};
static_assert(sizeof(Header) == 24);

struct RtsGet {
  Reference send = 0;
  std::uint64_t address = 0;   ///< of the message in the sender's memory
  std::int64_t transfer = -1;  ///< the sender's Transfer through which both may copy; -1: none
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

}  // namespace raddle::direct
