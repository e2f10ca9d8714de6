// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes of one element of a message lie, in the order in which they are sent: pieces and loops over pieces.
// Knows no MPI.
//
// Every constructor of datatypes comes down to two steps, repeat() and sequence(). Both join what touches, in order, so
// that an element lies in one piece exactly if a single Part without a loop is left of it: a part that has gaps, or
// goes back, keeps them whatever stands before and behind it.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

namespace raddle::endpoints {

struct Loop;

/// Bytes in one piece, or a loop over such pieces.
struct Part {
  std::ptrdiff_t offset = 0;   ///< from where the whole begins; may be negative, or an absolute address
  std::size_t bytes = 0;       ///< of the message, in all
  const Loop* loop = nullptr;  ///< nullptr: they lie in one piece
};

/// The same parts, each in its turn, again and again.
struct Loop {
  std::span<const Part> parts;
  std::size_t turns = 1;
  std::ptrdiff_t stride = 0;  ///< in bytes, from one turn to the next
};

/// One element. Owns the loops of which it is made, and is not changed once it is.
class Shape {
 public:
  Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  ~Shape() = default;

  /// `part` at 0, `stride`, 2 `stride`, ...
  Part repeat(Part part, std::size_t turns, std::ptrdiff_t stride);

  /// One after the other.
  Part sequence(const std::vector<Part>& parts);

  Part element;
  std::ptrdiff_t extent = 0;  ///< in bytes, from one element of a message to the next

 private:
  Part loop(Part part, std::span<const Part> parts, std::size_t turns, std::ptrdiff_t stride);

  std::deque<std::vector<Part>> parts_;
  std::deque<Loop> loops_;
};

}  // namespace raddle::endpoints
