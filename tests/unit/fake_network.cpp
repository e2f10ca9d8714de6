// SPDX-License-Identifier: BSD-3-Clause
#include "fake_network.hpp"

#include <algorithm>
#include <stdexcept>

namespace raddle::test {

std::byte* FakeNetwork::packet(std::size_t payload) {
  if (payload > longest_packet + sizeof(direct::Reference)) throw std::logic_error("a packet that is too long");
  const std::lock_guard lock(wire_.guard_);
  std::size_t under_way = 0;
  for (const auto& [pair, packets] : wire_.packets_) under_way += pair.first == rank_ ? packets.size() : 0;
  if (under_way >= most_packets) return nullptr;
  payload_.assign(std::max<std::size_t>(payload, 1), std::byte{0});
  payload_.resize(payload);
  return payload_.data();
}

void FakeNetwork::send(int peer, const direct::Header& header) {
  const std::lock_guard lock(wire_.guard_);
  wire_.packets_[{rank_, peer}].push_back({header, payload_, wire_.later()});
}

direct::RtsBeside FakeNetwork::send_body(int, direct::Operation& operation) {
  const std::lock_guard lock(wire_.guard_);
  const std::int64_t tag = wire_.next_body_++;
  wire_.bodies_[tag] = {rank_, &operation, {}};
  return {reinterpret_cast<direct::Reference>(&operation), tag};
}

void FakeNetwork::receive_body(int, direct::Operation& operation, const direct::RtsBeside& rts, std::size_t message) {
  const std::lock_guard lock(wire_.guard_);
  receives_.push_back({&operation, rts.tag, message, wire_.later()});
}

void FakeNetwork::drop_body(int, const direct::RtsBeside& rts, std::size_t message) {
  const std::lock_guard lock(wire_.guard_);
  receives_.push_back({nullptr, rts.tag, message, wire_.later()});
}

void FakeNetwork::poll(direct::Port& port, direct::Reading reading) {
  Wire::Packet packet;
  while (next_packet(packet)) {
    port.incoming(packet.header, packet.payload);
    if (reading == direct::Reading::to_match) break;
  }
  move_bodies(port);
  end_sends(port);
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

void FakeNetwork::move_bodies(direct::Port& port) {
  const std::lock_guard lock(wire_.guard_);
  std::erase_if(receives_, [&](const Receive& receive) {
    if (receive.due > wire_.now_) return false;
    Wire::Body& body = wire_.bodies_.at(receive.tag);
    const std::span<const std::byte> bytes =
        body.send != nullptr ? std::span<const std::byte>(body.send->body.data, body.send->body.bytes) : body.buffered;
    if (bytes.size() != receive.message) throw std::logic_error("a large message of another length than its RTS says");
    if (receive.operation != nullptr) {
      const std::size_t half = bytes.size() / 2;
      port.write(*receive.operation, bytes.first(half));
      port.write(*receive.operation, bytes.subspan(half));
      port.finish_receive(*receive.operation, receive.message);
    }
    body.received = true;
    if (body.send == nullptr) wire_.bodies_.erase(receive.tag);
    return true;
  });
}

void FakeNetwork::end_sends(direct::Port& port) {
  const std::lock_guard lock(wire_.guard_);
  for (auto at = wire_.bodies_.begin(); at != wire_.bodies_.end();) {
    Wire::Body& body = at->second;
    const bool mine = body.from == rank_ && body.send != nullptr;
    const bool leaves = mine && (body.received || (!body.send->synchronous && wire_.random_() % 8 == 0));
    if (leaves) {
      const std::span data(body.send->body.data, body.send->body.bytes);
      if (!body.received) body.buffered.assign(data.begin(), data.end());
      port.finish_send(*std::exchange(body.send, nullptr));
    }
    at = leaves && body.received ? wire_.bodies_.erase(at) : std::next(at);
  }
}

}  // namespace raddle::test
