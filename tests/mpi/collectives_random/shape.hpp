// SPDX-License-Identifier: BSD-3-Clause
// A datatype of some elements of one kind that lie in memory in one of many ways, and a map of them made without MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "../traffic/random.hpp"
#include "elements.hpp"

namespace raddle::collectives {

using traffic::Random;

class Shape {
 public:
  /// The element's own datatype.
  explicit Shape(const Element& element);
  /// `units` elements: in one piece, with gaps, in another order, or with an extent of its own.
  Shape(const Element& element, std::size_t units, Random& random);
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  ~Shape();

  [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }
  [[nodiscard]] const Element& element() const noexcept { return *element_; }
  [[nodiscard]] std::size_t units() const noexcept { return offsets_.size(); }
  [[nodiscard]] std::ptrdiff_t extent() const noexcept { return extent_; }
  /// Where an element begins, counted from the address of the first item.
  [[nodiscard]] std::ptrdiff_t offset(std::size_t unit) const noexcept {
    return static_cast<std::ptrdiff_t>(unit / units()) * extent_ + offsets_[unit % units()];
  }
  /// From the first byte of an item to behind its last.
  [[nodiscard]] std::ptrdiff_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::ptrdiff_t end() const noexcept { return end_; }
  /// E.g. "a vector of 4, resized".
  [[nodiscard]] std::string describe() const;
  /// Frees the datatype, as a program may once an operation has begun; the map stays.
  void forget();

  /// The shape whose datatype an operator of ours is given; nullptr if there is none.
  static const Shape* of(MPI_Datatype type);

 private:
  void vector(std::size_t units, Random& random);
  void indexed(std::size_t units, Random& random);
  void structure(std::size_t units, Random& random);
  void resize(Random& random);
  void measure();

  const Element* element_;
  std::string how_ = "the element's own datatype";
  MPI_Datatype type_;
  bool own_ = false;
  std::ptrdiff_t extent_;
  std::ptrdiff_t begin_ = 0;
  std::ptrdiff_t end_ = 0;
  std::vector<std::ptrdiff_t> offsets_;
};

}  // namespace raddle::collectives
