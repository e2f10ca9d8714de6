// SPDX-License-Identifier: BSD-3-Clause
// Message buffers: page aligned, first touched by the thread that owns them, slots on cache lines of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "core/arm.hpp"

namespace raddle::bench {

inline constexpr std::size_t page = 4096;
inline constexpr std::size_t line = 64;

/// `slots` messages of `bytes` bytes. Written once when made, so that no read ever hits the kernel's zero page.
class Slots {
 public:
  Slots(std::int64_t bytes, int slots)
      : bytes_(static_cast<std::size_t>(bytes)),
        stride_((std::max<std::size_t>(bytes_, 1) + line - 1) / line * line),
        count_(static_cast<std::size_t>(slots)),
        data_(static_cast<std::byte*>(::operator new(stride_ * count_, std::align_val_t{page}))) {
    std::memset(data_.get(), 0x5a, stride_ * count_);
  }

  [[nodiscard]] std::span<std::byte> operator[](int slot) noexcept { return {data_.get() + static_cast<std::size_t>(slot) * stride_, bytes_}; }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(count_); }

  void clear() noexcept { std::memset(data_.get(), 0, stride_ * count_); }

 private:
  struct Free {
    void operator()(std::byte* p) const noexcept { ::operator delete(p, std::align_val_t{page}); }
  };
  std::size_t bytes_;
  std::size_t stride_;
  std::size_t count_;
  std::unique_ptr<std::byte, Free> data_;
};

/// The content message `sequence` of `flow` must have: every byte depends on both and on its place.
inline std::byte pattern(int flow, int sequence, std::size_t index) noexcept {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(flow) * 1'000'003U + static_cast<std::uint64_t>(sequence)) * 0x9e3779b97f4a7c15U +
                              (index + 1) * 0xc2b2ae3d27d4eb4fU;
  return static_cast<std::byte>(mixed >> 56U);
}

inline void fill(std::span<std::byte> message, int flow, int sequence) noexcept {
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = pattern(flow, sequence, i);
}

inline void compare(std::span<const std::byte> message, int flow, int sequence, Validation& result) noexcept {
  for (std::size_t i = 0; i < message.size(); ++i) result.wrong += message[i] != pattern(flow, sequence, i) ? 1 : 0;
  result.bytes += static_cast<std::int64_t>(message.size());
}

}  // namespace raddle::bench
