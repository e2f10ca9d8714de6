// SPDX-License-Identifier: BSD-3-Clause
// Message buffers: page aligned, first touched by the thread that owns them, slots on cache lines of their own.
#pragma once

#include <algorithm>
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

/// Where messages lie: memory that starts with a page. @throws std::exception if there is not so much
struct MessageMemory {
  std::byte* (*allocate)(std::size_t bytes);
  void (*free)(std::byte* memory);
};

/// Of this program's messages; a variant names another before its workers are made.
inline MessageMemory message_memory{
    [](std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes, std::align_val_t{page})); },
    [](std::byte* memory) { ::operator delete(memory, std::align_val_t{page}); }};

/// `slots` messages of `bytes` bytes. Written once when made, so that no read ever hits the kernel's zero page.
class Slots {
 public:
  Slots(std::int64_t bytes, int slots)
      : bytes_(static_cast<std::size_t>(bytes)),
        stride_((std::max<std::size_t>(bytes_, 1) + line - 1) / line * line),
        count_(static_cast<std::size_t>(slots)),
        data_(message_memory.allocate(stride_ * count_), message_memory.free) {
    std::memset(data_.get(), 0x5a, stride_ * count_);
  }

  [[nodiscard]] std::span<std::byte> operator[](int slot) noexcept {
    return {data_.get() + static_cast<std::size_t>(slot) * stride_, bytes_};
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(count_); }

  void clear() noexcept { std::memset(data_.get(), 0, stride_ * count_); }

 private:
  std::size_t bytes_;
  std::size_t stride_;
  std::size_t count_;
  std::unique_ptr<std::byte, void (*)(std::byte*)> data_;
};

/// Word `index` of message `sequence` of `flow` (splitmix64's finaliser): every byte depends on all three.
inline std::uint64_t pattern(int flow, int sequence, std::size_t index) noexcept {
  std::uint64_t x =
      (static_cast<std::uint64_t>(flow) << 48U) ^ (static_cast<std::uint64_t>(sequence) << 32U) ^ (index + 1);
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

inline void fill(std::span<std::byte> message, int flow, int sequence) noexcept {
  for (std::size_t at = 0; at < message.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = pattern(flow, sequence, at / sizeof(std::uint64_t));
    std::memcpy(message.data() + at, &word, std::min(sizeof(word), message.size() - at));
  }
}

/// Counts the bytes of `message` that are not as `fill` wrote them.
inline void compare(std::span<const std::byte> message, int flow, int sequence, Validation& result) noexcept {
  for (std::size_t at = 0; at < message.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = pattern(flow, sequence, at / sizeof(std::uint64_t));
    const std::size_t length = std::min(sizeof(word), message.size() - at);
    if (std::memcmp(message.data() + at, &word, length) == 0) continue;
    for (std::size_t i = 0; i < length; ++i) {
      result.wrong += message[at + i] != reinterpret_cast<const std::byte*>(&word)[i] ? 1 : 0;
    }
  }
  result.bytes += static_cast<std::int64_t>(message.size());
}

}  // namespace raddle::bench
