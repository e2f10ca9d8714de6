// SPDX-License-Identifier: BSD-3-Clause
// One place of the table of handles: a sequence lock that is never waited for.
#pragma once

#include <atomic>
#include <cstdint>

namespace raddle::endpoints {

/// Holds a key and an object. Any thread may look; one at a time may write.
///
/// Memory order: the version is odd while key and object change. A reader loads key and object with acquire, the writer
/// stores them with release after the odd version: a reader that saw any of a change therefore sees another version
/// at its second look.
///
/// @tparam Atomic std::atomic; tests of all interleavings bring their own
template <template <typename> class Atomic = std::atomic>
class BasicHandleSlot {
 public:
  // No handle has these bits: pointers are aligned, and integers are 32 bits wide.
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static constexpr std::uint64_t erased = empty - 1;

  struct View {
    std::uint64_t version;
    std::uint64_t key;
    void* object;
  };

  /// What is seen; key and object belong together only if whole() says so.
  [[nodiscard, gnu::always_inline]] View look() const noexcept {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    const std::uint64_t key = key_.load(std::memory_order_acquire);
    return {version, key, object_.load(std::memory_order_acquire)};
  }

  [[nodiscard, gnu::always_inline]] bool whole(const View& seen) const noexcept {
    return seen.version % 2 == 0 && version_.load(std::memory_order_relaxed) == seen.version;
  }

  void write(std::uint64_t key, void* object) noexcept {
    const std::uint64_t before = version_.load(std::memory_order_relaxed);
    version_.store(before + 1, std::memory_order_relaxed);
    key_.store(key, std::memory_order_release);
    object_.store(object, std::memory_order_release);
    version_.store(before + 2, std::memory_order_release);
  }

  /// For writers, who need no second look.
  [[nodiscard]] std::uint64_t key() const noexcept { return key_.load(std::memory_order_relaxed); }
  [[nodiscard]] void* object() const noexcept { return object_.load(std::memory_order_relaxed); }

 private:
  Atomic<std::uint64_t> version_{0};
  Atomic<std::uint64_t> key_{empty};
  Atomic<void*> object_{nullptr};
};

using HandleSlot = BasicHandleSlot<>;

}  // namespace raddle::endpoints
