// SPDX-License-Identifier: BSD-3-Clause
// The receiver's side of a message.
#include <algorithm>
#include <chrono>
#include <new>

#include "engines/direct/messages.hpp"

namespace raddle::direct {
namespace {

/// How much of the payload has to be kept with a message that nobody has asked for yet.
std::size_t kept_bytes(const Header& header) {
  switch (header.kind) {
    case PacketKind::eager:
      return header.bytes;
    case PacketKind::eager_ack:
      return sizeof(Reference) + header.bytes;
    case PacketKind::rts_get:
    case PacketKind::rts_pipeline:
      return sizeof(RtsGet);
    case PacketKind::rts_beside:
      return sizeof(RtsBeside);
    default:
      return sizeof(Reference);
  }
}

}  // namespace

Kept* Messages::take(int source, int tag) {
  Kept* const kept = find(source, tag);
  if (kept != nullptr) matching_.take(*kept);
  return kept;
}

void Messages::receive_kept(Arrived& found, Operation& operation) {
  matching_.take(found);
  auto& kept = static_cast<Kept&>(found);
  deliver(kept.header, kept.payload(), operation);
  forget(kept);
}

void Messages::receive(Kept& message, Operation& operation) {
  operation.sends = false;
  deliver(message.header, message.payload(), operation);
  forget(message);
}

void Messages::keep(const Header& header, std::span<const std::byte> payload) {
  const std::size_t bytes = kept_bytes(header);
  auto& kept = *new (memory_.allocate(sizeof(Kept) + bytes, alignof(Kept))) Kept;
  kept.source = header.source;
  kept.tag = header.tag;
  kept.header = header;
  kept.payload_bytes = bytes;
  platform::copy_bytes(reinterpret_cast<std::byte*>(&kept + 1), payload.data(), bytes);
  matching_.keep(kept);
}

void Messages::forget(Kept& message) {
  memory_.deallocate(&message, sizeof(Kept) + message.payload_bytes, alignof(Kept));
}

void Messages::deliver(const Header& header, std::span<const std::byte> payload, Operation& operation) {
  operation.came = static_cast<const Envelope&>(header);
  operation.peer = header.source;
  operation.moved = 0;
  switch (header.kind) {
    case PacketKind::eager_ack:
      transport_.put(header.source, transport_.header(PacketKind::fin), Fin{prefix_of<Reference>(payload), 0});
      payload = payload.subspan(sizeof(Reference));
      [[fallthrough]];
    case PacketKind::eager:
      write(operation, payload.first(header.bytes));
      finish_receive(operation, header.bytes);
      return;
    case PacketKind::rts_get:
      start_copy(header, prefix_of<RtsGet>(payload), operation);
      return;
    case PacketKind::rts_pipeline:
      start_pipeline(header, prefix_of<RtsGet>(payload), operation);
      return;
    case PacketKind::rts_beside:
      operation.bytes = header.bytes;
      transport_.network()->receive_body(header.source, prefix_of<RtsBeside>(payload).tag, header.bytes, operation.body,
                                         reference_to(operation));
      return;
    default:
      operation.bytes = header.bytes;
      transport_.put(header.source, transport_.header(PacketKind::cts),
                     Cts{prefix_of<Reference>(payload), reference_to(operation)});
  }
}

void Messages::write(Operation& operation, std::span<const std::byte> bytes) {
  endpoints::copy_in(operation.body, operation.moved, bytes);
  operation.moved += bytes.size();
}

void Messages::write_out_of_ring(Operation& operation, std::span<const std::byte> bytes) {
  const endpoints::Body& body = operation.body;
  if (body.scattered != nullptr || operation.moved + bytes.size() > body.bytes) return write(operation, bytes);
  std::byte* const to = body.data + operation.moved;
  if (operation.target == node::Target::in_no_cache)
    platform::copy_past_caches(to, bytes.data(), bytes.size());
  else
    platform::copy_beyond_caches(to, bytes.data(), bytes.size());
  operation.moved += bytes.size();
}

/// To be asked once for each message.
node::Target Messages::target_of(const Operation& operation) {
  const endpoints::Body& body = operation.body;
  if (body.scattered != nullptr) return node::Target::perhaps_in_a_cache;
  return targets_.next({body.data, std::min(operation.bytes, body.bytes)}, operation.pipelined);
}

void Messages::body_received(Reference owner) {
  Operation& receive = operation_of(owner);
  finish_receive(receive, receive.bytes);
}

/// All bytes of a message of this length have come.
void Messages::finish_receive(Operation& operation, std::size_t message) {
  operation.bytes = std::min(message, operation.body.bytes);
  operation.complete(message > operation.body.bytes ? Outcome::truncated : Outcome::good);
}

void Messages::withdrawn(const Header& header, Reference send) {
  Kept* found = nullptr;
  matching_.each_arrived([&](Arrived& message) {
    auto& kept = static_cast<Kept&>(message);
    if (kept.source == header.source && kept.header.kind != PacketKind::eager &&
        prefix_of<Reference>(kept.payload()) == send)
      found = &kept;
  });
  if (found == nullptr) {  // it is matched, and completes as if nothing had been asked
    if (header.tag != 0) transport_.put(header.source, transport_.header(PacketKind::fin), Fin{send, 0});
    return;
  }
  if (found->header.kind == PacketKind::rts_beside)
    transport_.network()->drop_body(found->source, prefix_of<RtsBeside>(found->payload()).tag, found->header.bytes);
  matching_.take(*found);
  forget(*found);
  transport_.put(header.source, transport_.header(PacketKind::fin), Fin{send, 1});
}

// A long message on the node that the receiver copies out of the sender's memory, alone or with the sender's help.

void Messages::start_copy(const Header& header, const RtsGet& rts, Operation& operation) {
  operation.other_side = rts.send;
  operation.address = rts.address;
  operation.bytes = header.bytes;
  operation.transfer = -1;
  operation.pipelined = false;
  operation.target = target_of(operation);
  const bool whole = operation.body.scattered == nullptr && operation.body.bytes >= header.bytes;
  if (rts.transfer >= 0 && whole) {
    operation.transfer = rts.transfer;
    const auto target = reinterpret_cast<std::uint64_t>(operation.body.data);
    transport_.peer(header.source).transfers[rts.transfer].open(target, operation.target);
  }
  activate(operation);
  copy_step(operation);
}

void Messages::copy_step(Operation& operation) {
  const Peer& peer = transport_.peer(operation.peer);
  if (operation.transfer >= 0) {
    Transfer& transfer = peer.transfers[operation.transfer];
    if (!transfer.pull(peer.process, operation.address, {operation.body.data, operation.bytes}))
      return finish_copy(operation, Outcome::unreachable);
    if (transfer.complete(operation.bytes)) finish_copy(operation, Outcome::good);
    return;
  }
  const std::size_t all = std::min(operation.bytes, operation.body.bytes);
  const std::size_t part = std::min(Transport::piece, all - operation.moved);
  if (!transport_.fetch(operation.peer, operation.address + operation.moved, part, operation.body, operation.moved))
    return finish_copy(operation, Outcome::unreachable);
  operation.moved += part;
  if (operation.moved == all) finish_copy(operation, Outcome::good);
}

void Messages::finish_copy(Operation& operation, Outcome outcome) {
  retire(operation);
  transport_.put(operation.peer, transport_.header(PacketKind::fin), Fin{operation.other_side, 0});
  if (outcome == Outcome::good) {
    finish_receive(operation, operation.bytes);
  } else {
    operation.complete(outcome);
  }
}

// A long message on the node that comes through the sender's ring.

void Messages::start_pipeline(const Header& header, const RtsGet& rts, Operation& operation) {
  operation.other_side = rts.send;
  operation.address = rts.address;
  operation.bytes = header.bytes;
  operation.transfer = rts.transfer;
  operation.pipelined = true;
  operation.target = target_of(operation);
  operation.idle = 0;
  transport_.peer(header.source).pipelines[rts.transfer].match();
  activate(operation);
  take_from_pipeline(operation);
}

/// A sender that computes pushes nothing; then this side copies from the back, as the sender would from the front.
void Messages::take_from_pipeline(Operation& operation) {
  constexpr unsigned patience = 256;  // looks: some microseconds
  const Peer& peer = transport_.peer(operation.peer);
  Pipeline& pipeline = peer.pipelines[operation.transfer];
  std::size_t taken = 0;
  if (std::span<const std::byte> next = pipeline.next(peer.ring); !next.empty()) {
    const auto begin = std::chrono::steady_clock::now();
    for (; !next.empty() && taken < Transport::piece; next = pipeline.next(peer.ring)) {
      write_out_of_ring(operation, next);
      pipeline.took(next.size());
      taken += next.size();
    }
    pipeline.took_for(std::chrono::steady_clock::now() - begin);
  }
  const bool may_pull = operation.address != 0 && peer.reachable;
  // Messages of one process go through its rings one after the other.
  std::uint64_t& taken_ever = taken_from(peer.process);
  taken_ever += taken;
  operation.idle = taken_ever != operation.seen ? 0 : operation.idle + 1;
  operation.seen = taken_ever;
  if (operation.idle > patience && may_pull && !pull(operation, pipeline)) {
    retire(operation);
    aside_.erase(&operation);
    operation.complete(Outcome::unreachable);
    return;
  }
  if (!pipeline.all_here()) return;
  retire(operation);
  if (const auto rest = aside_.find(&operation); rest != aside_.end()) {
    write(operation, std::span(rest->second).subspan(operation.moved));
    aside_.erase(rest);
  }
  pipeline.end();
  finish_receive(operation, operation.bytes);
}

/// Always possible where the sender's memory can be reached: a message whose turn in the ring does not come, since
/// nobody receives those before it, needs no room there. @returns false: it could not be read
bool Messages::pull(Operation& operation, Pipeline& pipeline) {
  const Pipeline::Part part = pipeline.pull(Transfer::share);
  if (part.bytes == 0) return true;
  endpoints::Body to = operation.body;
  if (to.scattered != nullptr || to.bytes < operation.bytes) {
    // Such a body is written from its begin on.
    std::vector<std::byte>& aside = aside_.try_emplace(&operation, operation.bytes).first->second;
    to = {aside.data(), aside.size(), nullptr};
  }
  const bool read = transport_.fetch(operation.peer, operation.address + part.begin, part.bytes, to, part.begin);
  if (read) pipeline.pulled(part.bytes);
  return read;
}

}  // namespace raddle::direct
