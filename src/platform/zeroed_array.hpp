// SPDX-License-Identifier: BSD-3-Clause
// An array that begins as zeros, of which only those pages take memory that somebody has written to.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace raddle::platform {

/// @tparam Element  is made by being zero: nothing is constructed, nothing destroyed
template <typename Element>
class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<Element> && alignof(Element) <= 4096);

 public:
  /// @throws std::bad_alloc
  explicit ZeroedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* made = nullptr;
    if (is_short()) {
      made = ::operator new(bytes(), alignment);
      std::memset(made, 0, bytes());
    } else {
      made = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (made == MAP_FAILED) throw std::bad_alloc();
    }
    all_ = static_cast<Element*>(made);
  }
  ZeroedArray(const ZeroedArray&) = delete;
  ZeroedArray& operator=(const ZeroedArray&) = delete;
  ~ZeroedArray() {
    if (size_ == 0) return;
    if (is_short())
      ::operator delete(all_, alignment);
    else
      munmap(all_, bytes());
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Element& operator[](std::size_t at) { return all_[at]; }
  [[nodiscard]] const Element& operator[](std::size_t at) const { return all_[at]; }

 private:
  static constexpr std::align_val_t alignment{alignof(Element)};

  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(Element); }
  /// Not worth a call of the system.
  [[nodiscard]] bool is_short() const { return bytes() <= 4096; }

  Element* all_ = nullptr;
  std::size_t size_;
};

}  // namespace raddle::platform
