// SPDX-License-Identifier: BSD-3-Clause
// Long messages on one node: the receiver copies out of the sender's memory, alone or with the sender's help.
#include <algorithm>

#include "engines/direct/port.hpp"
#include "node/cross_memory.hpp"

namespace raddle::direct {
namespace {

constexpr std::size_t at_once = std::size_t{256} * 1024;       // of one message, before others are looked at
constexpr std::size_t scratch_bytes = std::size_t{64} * 1024;  // that stay in the cache between two copies

}  // namespace

void Port::start_copy(const Header& header, const RtsGet& rts, Operation& operation) {
  operation.other_side = rts.send;
  operation.address = rts.address;
  operation.bytes = header.bytes;
  operation.transfer = -1;
  const bool whole = operation.body.scattered == nullptr && operation.body.bytes >= header.bytes;
  if (rts.transfer >= 0 && whole) {
    operation.transfer = rts.transfer;
    peer_of(header.source).transfers[rts.transfer].open(reinterpret_cast<std::uint64_t>(operation.body.data));
  }
  activate(operation);
  copy_step(operation);
}

void Port::copy_step(Operation& operation) {
  if (operation.transfer >= 0) {
    copy_share(operation, peer_of(operation.peer).transfers[operation.transfer]);
    return;
  }
  const std::size_t end = std::min({operation.moved + at_once, operation.bytes, operation.body.bytes});
  const pid_t process = peer_of(operation.peer).process;
  while (operation.moved < end) {
    const auto* const from = reinterpret_cast<const std::byte*>(operation.address + operation.moved);
    const std::size_t left = end - operation.moved;
    if (process == 0) {
      write(operation, {from, left});
    } else if (operation.body.scattered == nullptr) {
      const std::span to(operation.body.data + operation.moved, left);
      if (!node::read_memory(process, reinterpret_cast<std::uintptr_t>(from), to))
        return finish_copy(operation, Outcome::unreachable);
      operation.moved += left;
    } else {
      scratch_.resize(scratch_bytes);
      const std::span piece(scratch_.data(), std::min(left, scratch_bytes));
      if (!node::read_memory(process, reinterpret_cast<std::uintptr_t>(from), piece))
        return finish_copy(operation, Outcome::unreachable);
      write(operation, piece);
    }
  }
  if (operation.moved >= std::min(operation.bytes, operation.body.bytes)) finish_copy(operation, Outcome::good);
}

void Port::copy_share(Operation& operation, Transfer& transfer) {
  if (!transfer.pull(peer_of(operation.peer).process, operation.address, {operation.body.data, operation.bytes}))
    return finish_copy(operation, Outcome::unreachable);
  if (transfer.complete(operation.bytes)) finish_copy(operation, Outcome::good);
}

void Port::finish_copy(Operation& operation, Outcome outcome) {
  retire(operation);
  put(operation.peer, Header{PacketKind::fin, rank_, 0, 0}, Fin{operation.other_side, 0}, nullptr);
  if (outcome == Outcome::good) {
    finish_receive(operation, operation.bytes);
  } else {
    operation.complete(outcome);
  }
}

}  // namespace raddle::direct
