// SPDX-License-Identifier: BSD-3-Clause
// The sender's side of a message.
#include <algorithm>
#include <bit>
#include <chrono>

#include "engines/direct/messages.hpp"

namespace raddle::direct {
namespace {

constexpr std::size_t part_bytes = std::size_t{8} * 1024;  // of a message that goes in parts

/// The bytes of a message from byte `at` of it on.
endpoints::Body part_of(const endpoints::Body& body, std::size_t at, std::size_t bytes) {
  return {body.scattered != nullptr ? nullptr : body.data + at, bytes, body.scattered};
}

}  // namespace

void Messages::send(int to, int tag, Operation& operation) {
  operation.sends = true;
  operation.peer = to;
  operation.moved = 0;
  operation.transfer = -1;
  operation.pipelined = false;
  operation.beside = false;
  operation.cancelling = Operation::Cancelling::no;
  const std::size_t bytes = operation.body.bytes;
  if (bytes >= least_in_pipeline_ && send_in_pipeline(to, tag, operation)) return;
  if (bytes > most_eager(to)) {
    send_rts(to, transport_.header(PacketKind::rts, tag, bytes), operation);
  } else if (operation.synchronous) {
    const Reference send = reference_to(operation);
    transport_.put(to, transport_.header(PacketKind::eager_ack, tag, bytes), std::as_bytes(std::span(&send, 1)),
                   operation.body, send);
  } else if (transport_.put_soon(to, transport_.header(PacketKind::eager, tag, bytes), {}, operation.body,
                                 reference_to(operation))) {
    operation.complete(Outcome::good);
  }
  transport_.leave_if_enough(*this);
}

/// What would have gone through a ring goes through the inbox if it is not too long.
std::size_t Messages::most_eager(int to) const {
  const Peer& peer = transport_.peer(to);
  const bool has_ring = transport_.own().pipelines != nullptr && peer.process != 0 && peer.inbox != nullptr;
  return has_ring ? std::min(eager_, transport_.most(to)) : transport_.eager(to);
}

/// Others than eager messages are complete when they are answered.
void Messages::packet_sent(const Header& header, Reference owner) {
  if (header.kind == PacketKind::eager) operation_of(owner).complete(Outcome::good);
  if (header.kind == PacketKind::rts_beside) send_beside(operation_of(owner));
}

void Messages::send_beside(Operation& operation) {
  operation.beside = true;
  const std::span body(operation.body.data, operation.body.bytes);
  transport_.network()->send_body(operation.peer, operation.body_tag, body, operation.synchronous,
                                  reference_to(operation));
}

void Messages::send_rts(int to, const Header& header, Operation& operation) {
  const Peer& peer = transport_.peer(to);
  const Reference send = reference_to(operation);
  Header first = header;
  if (operation.body.scattered != nullptr || (peer.inbox != nullptr && !peer.reachable)) {
    transport_.put(to, first, send, send);
    return;
  }
  if (peer.inbox == nullptr) {
    first.kind = PacketKind::rts_beside;
    operation.body_tag = transport_.network()->body_tag();
    const RtsBeside rts{send, operation.body_tag};
    if (transport_.put_soon(to, first, std::as_bytes(std::span(&rts, 1)), {}, send)) send_beside(operation);
    return;
  }
  first.kind = PacketKind::rts_get;
  const bool within = peer.process == 0;
  if (operation.body.bytes >= (within ? Transfer::least_within : Transfer::least) && free_transfers_ != 0) {
    operation.transfer = std::countr_zero(free_transfers_);
    free_transfers_ &= free_transfers_ - 1;
    transport_.own().transfers[operation.transfer].prepare(within ? Transfer::share_of(operation.body.bytes)
                                                                  : Transfer::share);
    activate(operation);
  }
  transport_.put(to, first, RtsGet{send, reinterpret_cast<std::uint64_t>(operation.body.data), operation.transfer},
                 send);
}

void Messages::send_parts(Operation& operation) {
  const std::size_t bytes = operation.body.bytes;
  const std::size_t most = std::min(part_bytes, transport_.most(operation.peer));
  while (operation.moved < bytes) {
    const std::size_t part = std::min(bytes - operation.moved, most);
    if (!transport_.try_put(operation.peer, transport_.header(PacketKind::part, 0, part),
                            std::as_bytes(std::span(&operation.other_side, 1)),
                            part_of(operation.body, operation.moved, part)))
      return;
    operation.moved += part;
  }
  end_send(operation, Outcome::good);
}

void Messages::help(Operation& operation) {
  // If the receiver has gone, whoever waits is told.
  const pid_t process = transport_.peer(operation.peer).process;
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t copied =
      transport_.own().transfers[operation.transfer].push(process, {operation.body.data, operation.body.bytes});
  if (copied > 0 && process != 0) choice_of(process).fetched(copied, std::chrono::steady_clock::now() - begin);
}

// Through a ring: for processes of the node only.

bool Messages::send_in_pipeline(int to, int tag, Operation& operation) {
  const Peer& peer = transport_.peer(to);
  const std::size_t bytes = operation.body.bytes;
  if (peer.inbox == nullptr || peer.process == 0 || operation.body.scattered != nullptr) return false;
  free_pipelines();
  if (peer.reachable && choice_of(peer.process).next(bytes) != CopyChoice::Way::pipeline) return false;
  if (next_pipeline_ - first_pipeline_ == transfers_of_each) return false;
  // Those before it may never be received. Then its receiver does without the ring, if it can.
  if (!peer.reachable && !has_room_for(bytes)) return false;
  const std::uint64_t number = next_pipeline_++;
  const std::uint64_t which = number % transfers_of_each;
  transport_.own().pipelines[which].prepare(bytes);
  in_ring_[which].process = peer.process;
  give_room();
  operation.transfer = static_cast<std::int64_t>(which);
  operation.pipelined = true;
  const Header header = transport_.header(PacketKind::rts_pipeline, tag, bytes);
  const bool has_room = number < roomless_pipeline_;
  if (has_room && bytes <= transport_.own().ring.most_at_once() && !operation.synchronous) {
    transport_.put(to, header, RtsGet{0, 0, operation.transfer});  // it ends here: nobody may name it later
    push(operation, bytes);
    operation.complete(Outcome::good);
  } else {
    const Reference send = reference_to(operation);
    const auto address = reinterpret_cast<std::uint64_t>(operation.body.data);
    transport_.put(to, header, RtsGet{send, address, operation.transfer}, send);
    activate(operation);
    push_more(operation);
  }
  return true;
}

void Messages::free_pipelines() {
  const Pipeline* const all = transport_.own().pipelines;
  for (; first_pipeline_ != roomless_pipeline_; ++first_pipeline_) {
    const std::uint64_t which = first_pipeline_ % transfers_of_each;
    if (!all[which].is_over()) return;
    ring_begin_ = in_ring_[which].end;
    choice_of(in_ring_[which].process).taken(all[which].taken(), all[which].taking());
  }
}

bool Messages::has_room_for(std::size_t bytes) const {
  const PipelineRing& ring = transport_.own().ring;
  return roomless_pipeline_ == next_pipeline_ && ring_end_ - ring_begin_ + ring.room_for(bytes) <= ring.bytes();
}

/// In turn, as far as the ring goes.
void Messages::give_room() {
  const PipelineRing& ring = transport_.own().ring;
  for (; roomless_pipeline_ != next_pipeline_; ++roomless_pipeline_) {
    const std::uint64_t which = roomless_pipeline_ % transfers_of_each;
    Pipeline& pipeline = transport_.own().pipelines[which];
    const std::size_t room = pipeline.is_over() ? 0 : ring.room_for(pipeline.message());
    if (ring_end_ - ring_begin_ + room > ring.bytes()) return;
    pipeline.give_room(ring_end_, room);
    in_ring_[which].end = ring_end_ += room;
  }
}

void Messages::push(Operation& operation, std::size_t most) {
  Pipeline& pipeline = transport_.own().pipelines[operation.transfer];
  const auto begin = std::chrono::steady_clock::now();
  std::size_t pushed = 0;
  while (pushed < most) {
    const std::size_t bytes = pipeline.push(transport_.own().ring, operation.body.data);
    if (bytes == 0) break;
    pushed += bytes;
  }
  operation.moved += pushed;
  const Peer& peer = transport_.peer(operation.peer);
  if (peer.reachable) choice_of(peer.process).pushed(pushed, std::chrono::steady_clock::now() - begin);
}

void Messages::push_more(Operation& operation) {
  if (roomless_pipeline_ != next_pipeline_) {
    free_pipelines();
    give_room();
  }
  push(operation, Transport::piece);
  static_cast<void>(end_pipelined(operation));
}

/// @returns whether the message has been received, or will be without this side
bool Messages::end_pipelined(Operation& operation) {
  const Pipeline& pipeline = transport_.own().pipelines[operation.transfer];
  const bool ends = pipeline.is_matched() && pipeline.all_left();
  if (ends) end_send(operation, Outcome::good);
  return ends;
}

void Messages::cancel_send(Operation& operation) {
  if (transport_.recall(operation.peer, reference_to(operation))) {
    end_send(operation, Outcome::cancelled);
    return;
  }
  if (operation.cancelling != Operation::Cancelling::no) return;
  operation.cancelling = Operation::Cancelling::asked;
  if (transport_.peer(operation.peer).left != nullptr) {
    withdrawn_.push_back(&operation);
    transport_.begin_work();
  }
  // One that is on its way beside the packets ends when it has left, so it needs an answer whatever becomes of it.
  transport_.put(operation.peer, transport_.header(PacketKind::withdraw, operation.beside ? 1 : 0),
                 reference_to(operation));
}

/// A process that has left answers no more, and nobody there will receive the message (MPI-4.1 section 3.8.4: the
/// sender's wait returns, whatever other processes do). What it has answered before is read in the step after the one
/// that sees it gone.
void Messages::end_withdrawn() {
  for (std::size_t i = withdrawn_.size(); i-- > 0;) {
    Operation& operation = *withdrawn_[i];
    if (operation.pipelined && end_pipelined(operation)) continue;
    if (operation.cancelling == Operation::Cancelling::unanswerable) {
      if (transport_.all_read()) end_send(operation, Outcome::cancelled);
    } else if (transport_.has_left(operation.peer)) {
      operation.cancelling = Operation::Cancelling::unanswerable;
    }
  }
}

void Messages::body_sent(Reference owner) {
  Operation& operation = operation_of(owner);
  operation.moved = operation.body.bytes;
  if (operation.cancelling == Operation::Cancelling::no) {
    operation.complete(Outcome::good);
  } else if (operation.cancelling == Operation::Cancelling::answered) {
    operation.complete(operation.outcome);
  }
}

/// The receiver has answered.
void Messages::finished(Operation& operation, Outcome outcome) {
  if (!operation.beside) {
    end_send(operation, outcome);
    return;
  }
  operation.cancelling = Operation::Cancelling::answered;
  operation.outcome = outcome;
  if (operation.moved == operation.body.bytes) operation.complete(outcome);
}

void Messages::end_send(Operation& operation, Outcome outcome) {
  retire(operation);
  if (std::erase(withdrawn_, &operation) != 0) transport_.end_work();
  if (operation.pipelined && outcome != Outcome::good) transport_.own().pipelines[operation.transfer].end();
  if (operation.transfer >= 0 && !operation.pipelined)
    free_transfers_ |= std::uint64_t{1} << static_cast<unsigned>(operation.transfer);
  operation.complete(outcome);
}

}  // namespace raddle::direct
