// SPDX-License-Identifier: BSD-3-Clause
// What the memory looks like that a process and its proxies share: the process's life lock, for each proxy its own, its
// doorbell and its inbox, then the heap. Knows no MPI.
#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "engines/inbox.hpp"
#include "engines/proxy/command.hpp"
#include "node/alive.hpp"
#include "platform/settings.hpp"

namespace raddle::proxy {

// How a proxy sleeps while there is nothing to do, and is woken: in memory that it shares with those who wake it. Knows
// no MPI.
//
// Who wakes first publishes what there is to do, then looks whether somebody sleeps; who sleeps first says so, then
// looks whether there is something to do. Both with a fence between the two, so one of them sees the other.

/// Sleeps and wakes in the kernel. Tests have another one.
struct Futex {
  static void wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::chrono::nanoseconds most) noexcept {
    const timespec limit{most.count() / 1'000'000'000, most.count() % 1'000'000'000};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
  }
  static void wake(std::atomic<std::uint32_t>& word) noexcept {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
};

template <template <typename> class Atomic = std::atomic, typename Kernel = Futex>
class alignas(64) BasicDoorbell {
 public:
  /// After what there is to do has been published.
  void ring() noexcept {
    if (asleep_.fetch_or(0, std::memory_order_acq_rel) == 0) [[likely]]
      return;
    rings_.fetch_add(1, std::memory_order_release);
    Kernel::wake(rings_);
  }

  /// Whether somebody sleeps, who might do something for a caller that waits.
  [[nodiscard]] bool sleeps() const noexcept { return asleep_.load(std::memory_order_relaxed) != 0; }

  /// Until it is rung, or so long. @param idle  whether there is still nothing to do. @returns false: so long
  template <typename Idle>
  bool sleep(std::chrono::nanoseconds most, Idle&& idle) {
    const std::uint32_t seen = rings_.load(std::memory_order_acquire);
    asleep_.exchange(1, std::memory_order_acq_rel);
    const bool still = idle();
    if (still) Kernel::wait(rings_, seen, most);
    asleep_.store(0, std::memory_order_relaxed);
    return !still || rings_.load(std::memory_order_acquire) != seen;
  }

 private:
  Atomic<std::uint32_t> rings_{0};
  Atomic<std::uint32_t> asleep_{0};
};

using Doorbell = BasicDoorbell<>;

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

// Memory that a process and its proxies share, for messages that travel without a copy and for those that are copied
// into it. The process alone gives it out; what the proxies can break there of its books is nothing that they could not
// break otherwise.

/// Any thread, at any time.
class Heap {
 public:
  /// @param memory  zeros, aligned to a page. Pages that nobody was given are not touched
  explicit Heap(std::span<std::byte> memory);
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap();

  /// @param alignment  a power of two. @returns nullptr: there is not so much left
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment = 64);
  void free(void* address);

  [[nodiscard]] bool contains(const void* address, std::size_t bytes = 0) const {
    const auto* const first = static_cast<const std::byte*>(address);
    return first >= memory_.data() && first < memory_.data() + memory_.size() &&
           bytes <= static_cast<std::size_t>(memory_.data() + memory_.size() - first);
  }
  [[nodiscard]] std::size_t bytes() const { return memory_.size(); }

 private:
  struct Books;
  std::span<std::byte> memory_;
  std::unique_ptr<Books> books_;
};

// What a process and each of its proxies tell each other when MPI has begun, by messages of the MPI. Knows no MPI.

constexpr int handshake_tag = 1;

/// The process to the proxy.
struct Hello {
  std::array<char, 64> address{};  ///< of the shared memory
  std::uint64_t bytes = 0;         ///< of it
  cpu_set_t cpus{};                ///< that the process may use
  // Its settings (platform/settings.hpp): of one that has been spawned the environment may be another.
  std::array<char, platform::most_cpus_characters + 1> proxy_cpus{};
  std::int32_t oversubscribe = 0;
  std::int32_t async = 0;
};

/// The answer.
struct Welcome {
  std::int32_t ready = 0;
  std::int32_t crowded = 0;         ///< busy contexts exceed the node's CPUs
  std::array<char, 512> problem{};  ///< what stands against it, if it is not
};
static_assert(std::is_trivially_copyable_v<Hello> && std::is_trivially_copyable_v<Welcome>);

}  // namespace raddle::proxy
