// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of another rank's memory an operation is about: the datatype is this rank's, the memory another's. Knows
// no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "endpoints/datatypes/scattered.hpp"

namespace raddle::endpoints {

/// Bytes that lie together.
struct Piece {
  std::int64_t offset;  ///< from where the operation begins; may be negative
  std::uint64_t bytes;
};

/// In the order in which they are sent. Most are one, which needs no memory of its own.
class Pieces {
 public:
  Pieces() = default;
  explicit Pieces(std::uint64_t bytes) : only_{0, bytes}, bytes_(bytes) {}
  /// Those of `count` elements of a shape.
  Pieces(const Shape& shape, std::size_t count);
  /// That came with a message.
  explicit Pieces(std::vector<Piece> all);

  [[nodiscard]] std::span<const Piece> all() const {
    return more_.empty() ? std::span(&only_, bytes_ == 0 ? 0 : 1) : std::span<const Piece>(more_);
  }
  /// In all.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Whether all of them lie in [begin, end) when the operation begins at `at`.
  [[nodiscard]] bool within(std::int64_t at, std::int64_t begin, std::int64_t end) const;

 private:
  void add(std::int64_t offset, std::uint64_t bytes);
  void add(const Part& part, std::int64_t base);

  Piece only_{0, 0};
  std::vector<Piece> more_;  ///< all, where they are several
  std::uint64_t bytes_ = 0;
};

}  // namespace raddle::endpoints
