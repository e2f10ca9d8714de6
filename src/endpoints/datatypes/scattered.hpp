// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes of a message lie in memory that has gaps, and a walk over them. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "endpoints/datatypes/body.hpp"

namespace raddle::endpoints {

// Where the bytes of one element of a message lie, in the order in which they are sent: pieces and loops over pieces.
// Knows no MPI.
//
// Every constructor of datatypes comes down to two steps, repeat() and sequence(). Both join what touches, in order, so
// that an element lies in one piece exactly if a single Part without a loop is left of it: a part that has gaps, or
// goes back, keeps them whatever stands before and behind it.

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

// Goes through the pieces of a message once, from the first byte to the last, and stops at any byte. Knows no MPI, and
// calls none: endpoints may move messages where the thread level forbids a call.

/// What is moved has been moved when a call returns, to the byte: of a message that is shorter than the room for it,
/// the last element is written as far as the message reaches, and nothing behind that is touched.
class Walk final : public Scattered {
 public:
  /// Begins a message of `count` elements at `buffer`. Holds the shape, so the datatype may be freed meanwhile.
  void start(void* buffer, std::size_t count, std::shared_ptr<const Shape> shape);

  /// Begins the same message again.
  void again();

  void gather(std::span<std::byte> next) override;
  void scatter(std::span<const std::byte> next) override;

 private:
  /// A loop that has begun and has turns left. Addresses are numbers: an offset may be absolute.
  struct Frame {
    std::span<const Part> parts;
    std::size_t part;
    std::size_t turns;
    std::ptrdiff_t stride;
    std::uintptr_t base;
  };

  template <typename Byte>
  void move(std::span<Byte> stream);
  template <typename Byte>
  std::size_t move_turns(Frame& frame, std::span<Byte> stream);
  void next_part();

  std::shared_ptr<const Shape> shape_;
  Frame whole_{};  ///< all elements
  std::vector<Frame> frames_;
  std::size_t within_ = 0;  ///< bytes of the current piece that have been moved
};

}  // namespace raddle::endpoints
