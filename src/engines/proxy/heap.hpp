// SPDX-License-Identifier: BSD-3-Clause
// Memory that a process and its proxies share, for messages that travel without a copy and for those that are copied
// into it. The process alone gives it out; what the proxies can break there of its books is nothing that they could not
// break otherwise.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace raddle::proxy {

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

}  // namespace raddle::proxy
