// SPDX-License-Identifier: BSD-3-Clause
// The messages that have arrived, as compressed rows. Knows no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sparse/message.hpp"

namespace raddle::sparse {

/// Memory for messages that come one after the other and in all are so many bytes as nobody knows: one block if the
/// guess was good.
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
    MemoryBlock& block = blocks_.back();
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
  struct MemoryBlock {
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
  std::vector<MemoryBlock> blocks_;
};

/// Message i is from ranks[i], and its bytes are those from offsets[i] to offsets[i + 1].
struct Rows {
  std::vector<int> ranks;
  std::vector<std::size_t> offsets;
  std::unique_ptr<std::byte[]> data;
};

class Arrivals final : public Sink {
 public:
  /// @param guess  bytes that will arrive
  explicit Arrivals(std::size_t guess) : arena_(guess) {}

  void expect(std::size_t, std::size_t bytes) override { arena_.expect(bytes); }
  std::byte* room(int source, std::size_t bytes) override;
  void arrived(int, std::span<const std::byte>) override {}

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// When all are there. @param sorted  by rank; otherwise as they came
  [[nodiscard]] Rows rows(bool sorted) &&;

 private:
  struct Arrived {
    int source;
    std::span<std::byte> bytes;
  };

  Arena arena_;
  std::vector<Arrived> arrived_;
  std::size_t bytes_ = 0;
};

}  // namespace raddle::sparse
