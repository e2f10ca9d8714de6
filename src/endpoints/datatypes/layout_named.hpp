// SPDX-License-Identifier: BSD-3-Clause
// The sizes of the datatypes that messages are mostly made of, for a look-up that costs next to nothing. Knows no MPI.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace raddle::endpoints {

/// Handles that are never freed, with sizes: an open-addressing table that is only added to, and that lies in one
/// place, so that a reader loads nothing but the entry.
class NamedSizes {
 public:
  /// @returns the size in bytes of one element, 0 if the handle has not been put in
  [[nodiscard]] std::size_t find(std::uint64_t handle) const noexcept {
    for (std::size_t at = home(handle);; at = (at + 1) % capacity) {
      const std::uint64_t key = entries_[at].handle.load(std::memory_order_acquire);
      if (key == handle) [[likely]]
        return entries_[at].size.load(std::memory_order_relaxed);
      if (key == 0) return 0;
    }
  }

  /// One thread at a time. Leaves a handle out that does not fit any more: it is slower then, that is all.
  void insert(std::uint64_t handle, std::size_t size) {
    if (find(handle) != 0 || 2 * (used_ + 1) > capacity) return;
    ++used_;
    std::size_t at = home(handle);
    while (entries_[at].handle.load(std::memory_order_relaxed) != 0) at = (at + 1) % capacity;
    entries_[at].size.store(size, std::memory_order_relaxed);
    entries_[at].handle.store(handle, std::memory_order_release);
  }

 private:
  static constexpr std::size_t capacity = 256;  ///< MPI names about 70 datatypes

  struct Entry {
    std::atomic<std::uint64_t> handle{0};  ///< 0: nothing is here, and no datatype has this handle
    std::atomic<std::size_t> size{0};
  };

  static constexpr std::size_t home(std::uint64_t handle) {
    return static_cast<std::size_t>((handle * 0x9e3779b97f4a7c15U) >> 56U);
  }

  std::array<Entry, capacity> entries_;
  std::size_t used_ = 0;
};

inline constinit NamedSizes named_sizes;

}  // namespace raddle::endpoints
