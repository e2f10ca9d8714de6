// SPDX-License-Identifier: BSD-3-Clause
// The receiver's side of a message.
#include <algorithm>
#include <new>

#include "engines/direct/port.hpp"

namespace raddle::direct {
namespace {

constexpr int entries_at_once = 64;  // before others are looked at: more may come in than one thread can take out

/// What a packet of this kind has in front of, or instead of, the message.
template <typename Prefix>
Prefix prefix_of(std::span<const std::byte> payload) {
  Prefix prefix;
  std::memcpy(&prefix, payload.data(), sizeof prefix);
  return prefix;
}

/// How much of the payload has to be kept with a message that nobody has asked for yet.
std::size_t kept_bytes(const Header& header) {
  switch (header.kind) {
    case PacketKind::eager:
      return header.bytes;
    case PacketKind::eager_ack:
      return sizeof(Reference) + header.bytes;
    case PacketKind::rts_get:
      return sizeof(RtsGet);
    case PacketKind::rts_beside:
      return sizeof(RtsBeside);
    default:
      return sizeof(Reference);
  }
}

Operation& operation_of(Reference reference) { return *reinterpret_cast<Operation*>(reference); }

}  // namespace

void Port::receive_kept(Arrived& found, Operation& operation) {
  matching_.take(found);
  auto& kept = static_cast<Kept&>(found);
  deliver(kept.header, kept.payload(), operation);
  forget(kept);
}

void Port::receive(Kept& message, Operation& operation) {
  const std::lock_guard lock(lock_);
  operation.sends = false;
  deliver(message.header, message.payload(), operation);
  forget(message);
}

Kept* Port::next_message(int source, int tag) {
  step();
  return static_cast<Kept*>(matching_.find(source, tag));
}

std::optional<Header> Port::probe(int source, int tag) {
  const std::lock_guard lock(lock_);
  const Kept* const kept = next_message(source, tag);
  return kept == nullptr ? std::nullopt : std::optional(kept->header);
}

Kept* Port::take(int source, int tag) {
  const std::lock_guard lock(lock_);
  Kept* const kept = next_message(source, tag);
  if (kept != nullptr) matching_.take(*kept);
  return kept;
}

void Port::read_inbox(Reading reading) {
  for (int entries = 0; entries < entries_at_once; ++entries) {
    const std::byte* const entry = reader_.front();
    if (entry == nullptr) return;
    const Header& header = *std::launder(reinterpret_cast<const Header*>(entry));
    const std::span payload(entry + sizeof header, reader_.bytes() - sizeof header);
    bool matched = false;
    if (header.kind == PacketKind::eager) [[likely]] {
      matched = eager(header, payload);
    } else {
      packet_arrived(header, payload);
    }
    reader_.pop();
    if (matched && reading == Reading::to_match) return;
  }
}

[[gnu::always_inline]] inline bool Port::eager(const Header& header, std::span<const std::byte> payload) {
  Posted* const receive = matching_.match(header.source, header.tag);
  if (receive == nullptr) {
    keep(header, payload);
    return false;
  }
  auto& operation = static_cast<Operation&>(*receive);
  if (operation.body.scattered != nullptr || header.bytes > operation.body.bytes) [[unlikely]] {
    deliver(header, payload, operation);
    return true;
  }
  copy_bytes(operation.body.data, payload.data(), header.bytes);
  operation.from = header.source;
  operation.with_tag = header.tag;
  operation.bytes = header.bytes;
  operation.complete(Outcome::good);
  return true;
}

bool Port::packet_arrived(const Header& header, std::span<const std::byte> payload) {
  switch (header.kind) {
    case PacketKind::eager:
      return eager(header, payload);
    case PacketKind::eager_ack:
    case PacketKind::rts_get:
    case PacketKind::rts:
    case PacketKind::rts_beside:
      if (Posted* receive = matching_.match(header.source, header.tag)) {
        deliver(header, payload, static_cast<Operation&>(*receive));
      } else {
        keep(header, payload);
      }
      return false;
    case PacketKind::cts: {
      const Cts cts = prefix_of<Cts>(payload);
      Operation& send = operation_of(cts.send);
      send.other_side = cts.receive;
      activate(send);
      return false;
    }
    case PacketKind::part: {
      Operation& receive = operation_of(prefix_of<Reference>(payload));
      write(receive, payload.subspan(sizeof(Reference), header.bytes));
      if (receive.moved == receive.bytes) finish_receive(receive, receive.bytes);
      return false;
    }
    case PacketKind::fin: {
      const Fin fin = prefix_of<Fin>(payload);
      finished(operation_of(fin.send), fin.cancelled != 0 ? Outcome::cancelled : Outcome::good);
      return false;
    }
    case PacketKind::withdraw:
      withdrawn(header, prefix_of<Reference>(payload));
  }
  return false;
}

void Port::keep(const Header& header, std::span<const std::byte> payload) {
  const std::size_t bytes = kept_bytes(header);
  auto& kept = *new (memory_.allocate(sizeof(Kept) + bytes, alignof(Kept))) Kept;
  kept.source = header.source;
  kept.tag = header.tag;
  kept.header = header;
  kept.payload_bytes = bytes;
  copy_bytes(reinterpret_cast<std::byte*>(&kept + 1), payload.data(), bytes);
  matching_.keep(kept);
}

void Port::forget(Kept& message) { memory_.deallocate(&message, sizeof(Kept) + message.payload_bytes, alignof(Kept)); }

void Port::deliver(const Header& header, std::span<const std::byte> payload, Operation& operation) {
  operation.from = header.source;
  operation.with_tag = header.tag;
  operation.peer = header.source;
  operation.moved = 0;
  switch (header.kind) {
    case PacketKind::eager_ack:
      put(header.source, Header{PacketKind::fin, rank_, 0, 0}, Fin{prefix_of<Reference>(payload), 0}, nullptr);
      payload = payload.subspan(sizeof(Reference));
      [[fallthrough]];
    case PacketKind::eager:
      write(operation, payload.first(header.bytes));
      finish_receive(operation, header.bytes);
      return;
    case PacketKind::rts_get:
      start_copy(header, prefix_of<RtsGet>(payload), operation);
      return;
    case PacketKind::rts_beside:
      operation.bytes = header.bytes;
      network_->receive_body(header.source, prefix_of<RtsBeside>(payload).tag, header.bytes, operation.body,
                             reinterpret_cast<Reference>(&operation));
      return;
    default:
      operation.bytes = header.bytes;
      put(header.source, Header{PacketKind::cts, rank_, 0, 0},
          Cts{prefix_of<Reference>(payload), reinterpret_cast<Reference>(&operation)}, nullptr);
  }
}

void Port::write(Operation& operation, std::span<const std::byte> bytes) {
  endpoints::copy_in(operation.body, operation.moved, bytes);
  operation.moved += bytes.size();
}

void Port::body_received(Reference owner) {
  Operation& receive = operation_of(owner);
  finish_receive(receive, receive.bytes);
}

void Port::finish_receive(Operation& operation, std::size_t message) {
  operation.bytes = std::min(message, operation.body.bytes);
  operation.complete(message > operation.body.bytes ? Outcome::truncated : Outcome::good);
}

void Port::withdrawn(const Header& header, Reference send) {
  Kept* found = nullptr;
  matching_.each_arrived([&](Arrived& message) {
    auto& kept = static_cast<Kept&>(message);
    if (kept.source == header.source && kept.header.kind != PacketKind::eager &&
        prefix_of<Reference>(kept.payload()) == send)
      found = &kept;
  });
  if (found == nullptr) {  // it is matched, and completes as if nothing had been asked
    if (header.tag != 0) put(header.source, Header{PacketKind::fin, rank_, 0, 0}, Fin{send, 0}, nullptr);
    return;
  }
  if (found->header.kind == PacketKind::rts_beside)
    network_->drop_body(found->source, prefix_of<RtsBeside>(found->payload()).tag, found->header.bytes);
  matching_.take(*found);
  forget(*found);
  put(header.source, Header{PacketKind::fin, rank_, 0, 0}, Fin{send, 1}, nullptr);
}

}  // namespace raddle::direct
