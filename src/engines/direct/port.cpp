// SPDX-License-Identifier: BSD-3-Clause
#include "engines/direct/port.hpp"

#include <sched.h>

#include <utility>

namespace raddle::direct {

Port::Port(int rank, const Peer& own, std::shared_ptr<const Peers> peers, const PortOptions& options, Network* network,
           Surroundings& surroundings)
    : crowded_(options.crowded),
      surroundings_(surroundings),
      lock_(network == nullptr ? platform::WhenLong::yield : platform::WhenLong::sleep),
      transport_(rank, own, std::move(peers), options.eager, network),
      messages_(transport_, options.eager, options.least_in_pipeline) {}

bool Port::progress(Reading reading) {
  if (!lock_.try_lock_unless_wanted()) {
    if (lock_.wanted()) sched_yield();  // who asks on and on may have the CPU that the other needs
    return false;
  }
  const std::lock_guard lock(lock_, std::adopt_lock);
  step(reading);
  return true;
}

void Port::step(Reading reading) { transport_.step(messages_, reading); }

void Port::send(int to, int tag, Operation& operation) {
  const std::lock_guard lock(lock_);
  messages_.send(to, tag, operation);
}

void Port::receive(Kept& message, Operation& operation) {
  const std::lock_guard lock(lock_);
  messages_.receive(message, operation);
}

std::optional<Header> Port::probe(int source, int tag) {
  const std::lock_guard lock(lock_);
  step(Reading::all);
  const Kept* const found = messages_.find(source, tag);
  return found == nullptr ? std::nullopt : std::optional(found->header);
}

Kept* Port::take(int source, int tag) {
  const std::lock_guard lock(lock_);
  step(Reading::all);
  return messages_.take(source, tag);
}

void Port::cancel(Operation& operation) {
  const std::lock_guard lock(lock_);
  messages_.cancel(operation);
}

std::uint64_t Port::moved() {
  const std::uint64_t under_way = transport_.unfinished();
  const std::uint64_t number = transport_.position() + under_way;
  if (under_way == 0 || !lock_.try_lock_unless_wanted()) return number;
  const std::lock_guard lock(lock_, std::adopt_lock);
  return number + messages_.moved();
}

std::string Port::describe() {
  const std::lock_guard lock(lock_);
  return "rank " + std::to_string(transport_.rank()) + messages_.describe() + transport_.describe();
}

}  // namespace raddle::direct
