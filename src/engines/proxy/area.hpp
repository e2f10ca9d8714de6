// SPDX-License-Identifier: BSD-3-Clause
// What the memory looks like that a process and its proxies share: the process's life lock, for each proxy its own, its
// doorbell and its inbox, then the heap. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "engines/inbox.hpp"
#include "engines/proxy/doorbell.hpp"
#include "engines/proxy/refusal.hpp"
#include "node/alive.hpp"

namespace raddle::proxy {

class Area {
 public:
  static constexpr std::uint64_t inbox_cells = 4096;  ///< 256 KiB

  Area() = default;
  Area(std::span<std::byte> memory, int proxies) : memory_(memory), proxies_(proxies) {}

  /// Of all that is not heap.
  static constexpr std::size_t front(int proxies) {
    constexpr std::size_t page = 4096;
    return (sizeof(node::LifeLock) + static_cast<std::size_t>(proxies) * each + page - 1) / page * page;
  }

  /// By the process, before the proxies look.
  void construct() const {
    new (memory_.data()) node::LifeLock;
    for (int i = 0; i < proxies_; ++i) {
      new (place(i)) node::LifeLock;
      new (place(i) + doorbell_at) Doorbell;
      new (place(i) + inbox_at) engines::Inbox(inbox_cells);
    }
  }
  /// Of the process.
  [[nodiscard]] node::LifeLock& life() const { return *at_place<node::LifeLock>(memory_.data()); }
  [[nodiscard]] node::LifeLock& life(int proxy) const { return *at_place<node::LifeLock>(place(proxy)); }
  [[nodiscard]] Doorbell& doorbell(int proxy) const { return *at_place<Doorbell>(place(proxy) + doorbell_at); }
  [[nodiscard]] engines::Inbox& inbox(int proxy) const { return *at_place<engines::Inbox>(place(proxy) + inbox_at); }

  [[nodiscard]] Bounds heap() const { return {front(proxies_), memory_.size()}; }
  [[nodiscard]] std::span<std::byte> heap_bytes() const { return memory_.subspan(front(proxies_)); }
  [[nodiscard]] std::byte* at(std::uint64_t place) const { return memory_.data() + place; }
  [[nodiscard]] std::uint64_t place_of(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - memory_.data());
  }

 private:
  static constexpr std::size_t doorbell_at = sizeof(node::LifeLock);
  static constexpr std::size_t inbox_at = doorbell_at + sizeof(Doorbell);
  static constexpr std::size_t each = inbox_at + engines::Inbox::memory(inbox_cells);

  [[nodiscard]] std::byte* place(int proxy) const {
    return memory_.data() + sizeof(node::LifeLock) + static_cast<std::size_t>(proxy) * each;
  }
  template <typename Part>
  static Part* at_place(std::byte* place) {
    return std::launder(reinterpret_cast<Part*>(place));
  }

  std::span<std::byte> memory_;
  int proxies_ = 0;
};

}  // namespace raddle::proxy
