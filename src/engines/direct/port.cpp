// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/port.hpp"

#include <sched.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace raddle::direct {
Port::Port(int rank, std::shared_ptr<const std::vector<Peer>> peers, const PortOptions& options, Network* network,
           Surroundings& surroundings)
    : rank_(rank),
      peers_(std::move(peers)),
      options_{std::min(options.eager, most_in(*peer_of(rank).inbox)), options.crowded},
      network_(network),
      surroundings_(surroundings),
      lines_(peers_->size()),
      reader_(*peer_of(rank).inbox),
      matching_(static_cast<int>(peers_->size())) {
  for (std::size_t to = 0; to < lines_.size(); ++to) {
    const Peer& peer = (*peers_)[to];
    lines_[to].inbox = peer.inbox;
    lines_[to].at_once = std::min(options_.eager, peer.eager);
  }
}

Port::~Port() = default;

bool Port::progress(Reading reading) {
  if (!lock_.try_lock_unless_wanted()) {
    if (lock_.wanted()) sched_yield();  // who asks on and on may have the CPU that the other needs
    return false;
  }
  const std::lock_guard lock(lock_, std::adopt_lock);
  step(reading);
  return true;
}

void Port::step(Reading reading) {
  read_inbox(reading);
  if (network_ != nullptr) network_->poll(*this, reading);
  if (unfinished_.load(std::memory_order_relaxed) == 0) return;
  if (!withdrawn_.empty()) end_withdrawn();
  flush();
  for (Operation* operation = active_.first(); operation != nullptr;) {
    Operation& now = *operation;
    operation = operation->next_active;  // the step may be the last
    if (!now.sends) {
      copy_step(now);
    } else if (now.transfer >= 0) {
      help(now);
    } else {
      send_parts(now);
    }
  }
}

void Port::activate(Operation& operation) {
  active_.append(operation);
  unfinished_.fetch_add(1, std::memory_order_relaxed);
}

void Port::retire(Operation& operation) {
  if (operation.active_link == nullptr) return;
  active_.remove(operation);
  unfinished_.fetch_sub(1, std::memory_order_relaxed);
}

void Port::cancel(Operation& operation) {
  const std::lock_guard lock(lock_);
  if (operation.complete()) return;
  if (operation.sends) {
    cancel_send(operation);
  } else if (Matching::waits(operation)) {
    matching_.withdraw(operation);
    operation.complete(Outcome::cancelled);
  }
}

std::uint64_t Port::moved() {
  const std::uint64_t under_way = unfinished_.load(std::memory_order_relaxed);
  std::uint64_t number = reader_.position() + under_way;
  if (under_way == 0 || !lock_.try_lock_unless_wanted()) return number;
  const std::lock_guard lock(lock_, std::adopt_lock);
  for (const Operation* operation = active_.first(); operation != nullptr; operation = operation->next_active)
    number += operation->moved;
  return number;
}

std::string Port::describe() {
  const std::lock_guard lock(lock_);
  const auto number = [](int value) {
    return value == any ? std::string("any") : value < 0 ? std::string("of Raddle's own") : std::to_string(value);
  };
  std::string text = "rank " + std::to_string(rank_);
  matching_.each_posted([&](const Posted& receive) {
    text += "\n  receive posted: from " + number(receive.source) + ", tag " + number(receive.tag);
  });
  matching_.each_arrived([&](const Arrived& message) {
    text += "\n  message unexpected: from " + std::to_string(message.source) + ", tag " + number(message.tag) + ", " +
            std::to_string(static_cast<const Kept&>(message).header.bytes) + " bytes";
  });
  for (std::size_t to = 0; to < lines_.size(); ++to) {
    if (const auto delayed = lines_[to].delayed.load(std::memory_order_relaxed); delayed > 0)
      text += "\n  packets without room in the inbox of " + std::to_string(to) + ": " + std::to_string(delayed);
  }
  for (const Operation* operation = active_.first(); operation != nullptr; operation = operation->next_active) {
    text += std::string("\n  ") + (operation->sends ? "send to " : "receive from ") + std::to_string(operation->peer) +
            " under way: " + std::to_string(operation->moved) + " bytes";
  }
  return text;
}

}  // namespace raddle::direct
