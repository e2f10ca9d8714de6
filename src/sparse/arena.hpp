// SPDX-License-Identifier: BSD-3-Clause
// Memory for messages that come one after the other and in all are so many bytes as nobody knows: one block if the
// guess was good. Knows no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace raddle::sparse {

class Arena {
 public:
  /// @param guess  bytes in all
  explicit Arena(std::size_t guess) : guess_(guess) {}

  /// What so many bytes are asked for next lies in one block.
  void expect(std::size_t bytes) {
    if (blocks_.empty() || blocks_.back().capacity - blocks_.back().used < bytes) open(bytes);
  }

  /// Stays where it is.
  [[nodiscard]] std::byte* room(std::size_t bytes) {
    expect(bytes);
    Block& block = blocks_.back();
    std::byte* const place = block.data.get() + block.used;
    block.used += bytes;
    return place;
  }

  /// Whether all that was asked for lies one behind the other.
  [[nodiscard]] bool in_one() const { return blocks_.size() <= 1; }
  [[nodiscard]] std::unique_ptr<std::byte[]> take() && {
    return blocks_.empty() ? nullptr : std::move(blocks_.front().data);
  }

  /// Nothing of it is in use any more.
  void forget() {
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);  // the last one is the largest
    if (!blocks_.empty()) blocks_.back().used = 0;
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t capacity;
    std::size_t used;
  };

  void open(std::size_t bytes) {
    if (!blocks_.empty() && blocks_.back().used == 0) blocks_.pop_back();
    const std::size_t before = blocks_.empty() ? guess_ : 2 * blocks_.back().capacity;
    const std::size_t capacity = std::max({bytes, before, smallest});
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(capacity), capacity, 0});
  }

  static constexpr std::size_t smallest = 1024;

  std::size_t guess_;
  std::vector<Block> blocks_;
};

}  // namespace raddle::sparse
