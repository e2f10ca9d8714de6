// SPDX-License-Identifier: BSD-3-Clause
// The sender's side of a message.
#include <algorithm>
#include <bit>

#include "engines/direct/port.hpp"

namespace raddle::direct {
namespace {

constexpr std::size_t part_bytes = std::size_t{8} * 1024;  // of a message that goes in parts

Reference reference_to(Operation& operation) { return reinterpret_cast<Reference>(&operation); }

}  // namespace

void Port::send(int to, int tag, Operation& operation) {
  const std::lock_guard lock(lock_);
  operation.sends = true;
  operation.peer = to;
  operation.moved = 0;
  operation.transfer = -1;
  operation.beside = false;
  operation.cancelling = Operation::Cancelling::no;
  const std::size_t bytes = operation.body.bytes;
  Header header{PacketKind::eager, rank_, tag, bytes};
  const Peer& peer = peer_of(to);
  const bool remote = peer.inbox == nullptr;
  if (bytes > (remote ? network_->eager() : line_of(to).at_once)) {
    send_rts(to, header, operation);
  } else if (operation.synchronous) {
    header.kind = PacketKind::eager_ack;
    const Reference send = reference_to(operation);
    put(to, header, std::as_bytes(std::span(&send, 1)), &operation);
  } else {
    put(to, header, {}, &operation);
    // What is in the outbox completes when it leaves.
    if (line_of(to).outbox.empty()) operation.complete(Outcome::good);
  }
}

void Port::send_rts(int to, const Header& header, Operation& operation) {
  const Peer& peer = peer_of(to);
  Header first = header;
  if (operation.body.scattered != nullptr || (peer.inbox != nullptr && !peer.reachable)) {
    first.kind = PacketKind::rts;
    put(to, first, reference_to(operation), &operation);
    return;
  }
  if (peer.inbox == nullptr) {
    first.kind = PacketKind::rts_beside;
    operation.beside = true;
    const std::span body(operation.body.data, operation.body.bytes);
    const Reference send = reference_to(operation);
    const std::int64_t tag = network_->send_body(to, body, operation.synchronous, send);
    put(to, first, RtsBeside{send, tag}, nullptr);  // the body is on its way: it cannot be held back here
    return;
  }
  first.kind = PacketKind::rts_get;
  if (operation.body.bytes >= Transfer::least && free_transfers_ != 0) {
    operation.transfer = std::countr_zero(free_transfers_);
    free_transfers_ &= free_transfers_ - 1;
    peer_of(rank_).transfers[operation.transfer].prepare();
    activate(operation);
  }
  put(to, first,
      RtsGet{reference_to(operation), reinterpret_cast<std::uint64_t>(operation.body.data), operation.transfer},
      &operation);
}

void Port::send_parts(Operation& operation) {
  const std::size_t bytes = operation.body.bytes;
  const Inbox* const inbox = peer_of(operation.peer).inbox;
  const std::size_t most = inbox == nullptr ? network_->eager() : std::min(part_bytes, most_in(*inbox));
  while (operation.moved < bytes) {
    const std::size_t part = std::min(bytes - operation.moved, most);
    const Header header{PacketKind::part, rank_, 0, part};
    if (!try_put(operation.peer, header, std::as_bytes(std::span(&operation.other_side, 1)), &operation, part)) return;
  }
  end_send(operation, Outcome::good);
}

void Port::help(Operation& operation) {
  // If the receiver has gone, whoever waits is told.
  peer_of(rank_).transfers[operation.transfer].push(peer_of(operation.peer).process,
                                                    {operation.body.data, operation.body.bytes});
}

void Port::cancel_send(Operation& operation) {
  Line& line = line_of(operation.peer);
  for (Outgoing* packet = line.outbox.first(); packet != nullptr; packet = packet->next) {
    if (packet->send != &operation) continue;
    discard(line, *packet);
    end_send(operation, Outcome::cancelled);
    return;
  }
  if (operation.cancelling != Operation::Cancelling::no) return;
  operation.cancelling = Operation::Cancelling::asked;
  if (peer_of(operation.peer).left != nullptr) {
    withdrawn_.push_back(&operation);
    unfinished_.fetch_add(1, std::memory_order_relaxed);
  }
  // One that is on its way beside the packets ends when it has left, so it needs an answer whatever becomes of it.
  put(operation.peer, Header{PacketKind::withdraw, rank_, operation.beside ? 1 : 0, 0}, reference_to(operation),
      nullptr);
}

/// A process that has left answers no more, and nobody there will receive the message (MPI-4.1 section 3.8.4: the
/// sender's wait returns, whatever other processes do). What it has answered before is in the inbox.
void Port::end_withdrawn() {
  const auto has_left = [&](const Operation* operation) {
    return peer_of(operation->peer).left->load(std::memory_order_acquire) != 0;
  };
  if (std::ranges::none_of(withdrawn_, has_left)) return;
  read_inbox(Reading::all);
  if (!reader_.at_end()) return;  // the next time
  const std::vector<Operation*> waiting = withdrawn_;
  for (Operation* const operation : waiting) {
    if (has_left(operation)) end_send(*operation, Outcome::cancelled);
  }
}

void Port::body_sent(Reference owner) {
  Operation& operation = *reinterpret_cast<Operation*>(owner);
  operation.moved = operation.body.bytes;
  if (operation.cancelling == Operation::Cancelling::no) {
    operation.complete(Outcome::good);
  } else if (operation.cancelling == Operation::Cancelling::answered) {
    operation.complete(operation.outcome);
  }
}

void Port::finished(Operation& operation, Outcome outcome) {
  if (!operation.beside) {
    end_send(operation, outcome);
    return;
  }
  operation.cancelling = Operation::Cancelling::answered;
  operation.outcome = outcome;
  if (operation.moved == operation.body.bytes) operation.complete(outcome);
}

void Port::end_send(Operation& operation, Outcome outcome) {
  retire(operation);
  if (std::erase(withdrawn_, &operation) != 0) unfinished_.fetch_sub(1, std::memory_order_relaxed);
  if (operation.transfer >= 0) free_transfers_ |= std::uint64_t{1} << static_cast<unsigned>(operation.transfer);
  operation.complete(outcome);
}

}  // namespace raddle::direct
