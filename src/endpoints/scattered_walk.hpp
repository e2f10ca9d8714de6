// SPDX-License-Identifier: BSD-3-Clause
// Goes through the pieces of a message once, from the first byte to the last, and stops at any byte. Knows no MPI, and
// calls none: endpoints may move messages where the thread level forbids a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "endpoints/body.hpp"
#include "endpoints/scattered_shape.hpp"

namespace raddle::endpoints {

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
