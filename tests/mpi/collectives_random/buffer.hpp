// SPDX-License-Identifier: BSD-3-Clause
// A side's memory, whose every byte is known before and after, with guards around it and the gaps of its datatypes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "plan.hpp"
#include "shape.hpp"

namespace raddle::collectives {

/// Where a part lies.
struct Block {
  const Shape* shape;
  std::size_t items;
  std::ptrdiff_t at;  ///< in bytes from the buffer's address

  [[nodiscard]] std::ptrdiff_t offset(std::size_t unit) const { return at + shape->offset(unit); }
};

class Buffer {
 public:
  /// @param which 0: of what is sent, 1: of what is received
  Buffer(const Call& call, const Side& side, int rank, int which);

  /// Makes it as the plan wants it before a call, and derives what it must be afterwards.
  void fill(std::uint64_t key);
  /// @returns what is not as it must be, or ""
  [[nodiscard]] std::string verdict();
  /// Frees all datatypes.
  void forget();

  [[nodiscard]] void* address() noexcept { return memory_.data() + origin_; }
  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }
  /// The datatype of a side that has but one, even if it has no blocks.
  [[nodiscard]] MPI_Datatype type() const noexcept { return shapes_.front().type(); }
  [[nodiscard]] const Shape& shape() const noexcept { return shapes_.front(); }

 private:
  void make_shapes(int rank, int which);
  void place(int rank, int which);
  void poison(std::uint64_t key);
  void write(std::vector<std::byte>& image, std::size_t part, const Content& content) const;
  void forgive();
  [[nodiscard]] std::string describe(std::size_t byte) const;

  const Call& call_;
  const Side& side_;
  std::deque<Shape> shapes_;
  std::vector<Block> blocks_;
  std::size_t origin_ = 0;
  std::uint64_t key_ = 0;
  std::vector<std::byte> memory_;
  std::vector<std::byte> wanted_;
};

}  // namespace raddle::collectives
