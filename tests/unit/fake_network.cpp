// SPDX-License-Identifier: BSD-3-Clause
#include "fake_network.hpp"

#include <algorithm>
#include <stdexcept>

namespace raddle::test {

std::byte* FakeNetwork::packet(int peer, std::size_t payload) {
  if (payload > longest_packet + sizeof(direct::Reference)) throw std::logic_error("a packet that is too long");
  if (peer != peer_) push();
  peer_ = peer;
  const std::lock_guard lock(wire_.guard_);
  std::size_t under_way = message_.size();
  for (const auto& [pair, packets] : wire_.packets_) under_way += pair.first == rank_ ? packets.size() : 0;
  if (under_way >= most_packets) return nullptr;
  payload_.assign(std::max<std::size_t>(payload, 1), std::byte{0});
  payload_.resize(payload);
  return payload_.data();
}

void FakeNetwork::add(const direct::Header& header) { message_.push_back({header, payload_, 0}); }

void FakeNetwork::push() {
  const std::lock_guard lock(wire_.guard_);
  const std::uint64_t due = wire_.later();
  for (Wire::Packet& packet : message_) {
    packet.due = due;
    wire_.packets_[{rank_, peer_}].push_back(std::move(packet));
  }
  message_.clear();
}

std::int64_t FakeNetwork::body_tag() {
  const std::lock_guard lock(wire_.guard_);
  return wire_.next_body_++;
}

void FakeNetwork::send_body(int, std::int64_t tag, std::span<const std::byte> body, bool synchronous,
                            direct::Reference owner) {
  const std::lock_guard lock(wire_.guard_);
  wire_.bodies_[tag] = {.from = rank_, .send = owner, .data = body, .synchronous = synchronous};
}

void FakeNetwork::receive_body(int, std::int64_t tag, std::size_t bytes, const endpoints::Body& room,
                               direct::Reference owner) {
  const std::lock_guard lock(wire_.guard_);
  receives_.push_back({owner, room, tag, bytes, wire_.later()});
}

void FakeNetwork::drop_body(int, std::int64_t tag, std::size_t bytes) {
  const std::lock_guard lock(wire_.guard_);
  receives_.push_back({0, {}, tag, bytes, wire_.later()});
}

void FakeNetwork::poll(direct::Handler& handler, direct::Reading reading) {
  Wire::Packet packet;
  while (next_packet(packet)) {
    handler.packet_arrived(packet.header, packet.payload);
    if (reading == direct::Reading::to_match) break;
  }
  move_bodies(handler);
  end_sends(handler);
}

bool FakeNetwork::next_packet(Wire::Packet& packet) {
  const std::lock_guard lock(wire_.guard_);
  ++wire_.now_;
  for (auto& [pair, packets] : wire_.packets_) {
    if (pair.second != rank_ || packets.empty() || packets.front().due > wire_.now_) continue;
    packet = std::move(packets.front());
    packets.pop_front();
    return true;
  }
  return false;
}

void FakeNetwork::move_bodies(direct::Handler& handler) {
  const std::lock_guard lock(wire_.guard_);
  std::erase_if(receives_, [&](const Receive& receive) {
    if (receive.due > wire_.now_ || !wire_.bodies_.contains(receive.tag)) return false;
    Wire::Body& body = wire_.bodies_.at(receive.tag);
    const std::span<const std::byte> bytes = body.send != 0 ? body.data : body.buffered;
    if (bytes.size() != receive.bytes) throw std::logic_error("a large message of another length than its RTS says");
    if (receive.owner != 0) {
      const std::size_t half = bytes.size() / 2;
      endpoints::copy_in(receive.room, 0, bytes.first(half));
      endpoints::copy_in(receive.room, half, bytes.subspan(half));
      handler.body_received(receive.owner);
    }
    body.received = true;
    if (body.send == 0) wire_.bodies_.erase(receive.tag);
    return true;
  });
}

void FakeNetwork::end_sends(direct::Handler& handler) {
  const std::lock_guard lock(wire_.guard_);
  for (auto at = wire_.bodies_.begin(); at != wire_.bodies_.end();) {
    Wire::Body& body = at->second;
    const bool mine = body.from == rank_ && body.send != 0;
    const bool leaves = mine && (body.received || (!body.synchronous && wire_.random_() % 8 == 0));
    if (leaves) {
      if (!body.received) body.buffered.assign(body.data.begin(), body.data.end());
      handler.body_sent(std::exchange(body.send, direct::Reference{0}));
    }
    at = leaves && body.received ? wire_.bodies_.erase(at) : std::next(at);
  }
}

}  // namespace raddle::test
