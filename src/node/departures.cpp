// SPDX-License-Identifier: BSD-3-Clause
#include "node/departures.hpp"

namespace raddle::node {

Departures::Departures(std::byte* shared, std::size_t processes, std::size_t self)
    : presence_(reinterpret_cast<Presence*>(shared), processes), self_(self) {}

void Departures::watch(std::span<const Process> processes) { watch_.emplace(processes); }

std::optional<std::size_t> Departures::lost() {
  if (!watch_) return std::nullopt;
  while (const std::optional<std::size_t> ended = watch_->ended()) {
    if (presence_[*ended].left.load(std::memory_order_acquire) == 0) return ended;
    watch_->forget(*ended);
  }
  return std::nullopt;
}

void Departures::leave() { presence_[self_].left.store(1, std::memory_order_release); }

}  // namespace raddle::node
