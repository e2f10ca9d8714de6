// SPDX-License-Identifier: BSD-3-Clause
// Packets leave: into an inbox or the network, or, when there is no room, into the outbox until there is.
#include <algorithm>
#include <new>

#include "engines/direct/port.hpp"

namespace raddle::direct {
namespace {

bool carries_body(PacketKind kind) { return kind == PacketKind::eager || kind == PacketKind::eager_ack; }

}  // namespace

bool Port::try_put(int to, const Header& header, std::span<const std::byte> prefix, Operation* body,
                   std::size_t body_bytes) {
  Inbox* const inbox = peer_of(to).inbox;
  Inbox::Claim claim;
  std::byte* place = nullptr;
  if (inbox == nullptr) {
    place = network_->packet(prefix.size() + body_bytes);
  } else {
    claim = inbox->claim(sizeof header + prefix.size() + body_bytes, line_of(to).seen);
    if (claim.place != nullptr) {
      std::memcpy(claim.place, &header, sizeof header);
      place = claim.place + sizeof header;
    }
  }
  if (place == nullptr) return false;
  copy_bytes(place, prefix.data(), prefix.size());
  if (body != nullptr) {
    const std::span part(place + prefix.size(), body_bytes);
    if (body->body.scattered != nullptr) {
      body->body.scattered->gather(part);
    } else {
      copy_bytes(part.data(), body->body.data + body->moved, body_bytes);
    }
    body->moved += body_bytes;
  }
  if (inbox == nullptr) {
    network_->send(to, header);
  } else {
    inbox->publish(claim);
  }
  return true;
}

void Port::put(int to, const Header& header, std::span<const std::byte> prefix, Operation* send) {
  Line& line = line_of(to);
  const bool with_body = carries_body(header.kind);
  if (line.outbox.empty() && try_put(to, header, prefix, with_body ? send : nullptr, with_body ? header.bytes : 0))
    return;
  auto& packet = *new (memory_.allocate(sizeof(Outgoing), alignof(Outgoing))) Outgoing;
  packet.header = header;
  packet.prefix_bytes = prefix.size();
  copy_bytes(packet.prefix, prefix.data(), prefix.size());
  packet.send = send;
  line.outbox.append(packet);
  ++delayed_;
  line.delayed.fetch_add(1, std::memory_order_relaxed);
  unfinished_.fetch_add(1, std::memory_order_relaxed);
}

void Port::flush() {
  for (std::size_t to = 0; delayed_ > 0 && to < lines_.size(); ++to) {
    Line& line = lines_[to];
    while (Outgoing* packet = line.outbox.first()) {
      const bool with_body = carries_body(packet->header.kind);
      if (!try_put(static_cast<int>(to), packet->header, {packet->prefix, packet->prefix_bytes},
                   with_body ? packet->send : nullptr, with_body ? packet->header.bytes : 0))
        break;
      Operation* const sent = packet->header.kind == PacketKind::eager ? packet->send : nullptr;
      discard(line, *packet);
      if (sent != nullptr) sent->complete(Outcome::good);
    }
  }
}

void Port::discard(Line& line, Outgoing& packet) {
  line.outbox.remove(packet);
  --delayed_;
  line.delayed.fetch_sub(1, std::memory_order_release);
  unfinished_.fetch_sub(1, std::memory_order_relaxed);
  memory_.deallocate(&packet, sizeof packet, alignof(Outgoing));
}

}  // namespace raddle::direct
