// SPDX-License-Identifier: BSD-3-Clause
// Datatypes of words, and where those lie: counted without MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "mpi/traffic/random.hpp"

namespace raddle::testing {

class Shape {
 public:
  /// @param type     committed here, and freed with this
  /// @param offsets  of an element's words, in the order in which they travel, counted in words
  /// @param extent   from one element to the next, in words
  Shape(MPI_Datatype type, std::vector<int> offsets, int extent)
      : type_(type), offsets_(std::move(offsets)), extent_(extent) {
    MPI_Type_commit(&type_);
  }
  Shape(Shape&& other) noexcept
      : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)),
        offsets_(std::move(other.offsets_)),
        extent_(other.extent_) {}
  Shape& operator=(Shape&&) = delete;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  ~Shape() { forget(); }

  /// Frees the type, as a program may once there is a request.
  void forget() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] std::size_t words() const { return offsets_.size(); }
  /// Where the word is that travels as number `i` of all.
  [[nodiscard]] std::ptrdiff_t place(std::size_t i) const {
    return static_cast<std::ptrdiff_t>(i / words()) * extent_ + offsets_[i % words()];
  }

  /// In one piece.
  static Shape contiguous(int words) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(words, MPI_INT, &type);
    std::vector<int> offsets;
    for (int i = 0; i < words; ++i) offsets.push_back(i);
    return {type, offsets, words};
  }

  /// `blocks` times `length` words, each `stride` behind the one before.
  static Shape vector(int blocks, int length, int stride) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, length, stride, MPI_INT, &type);
    return {type, strided(blocks, length, stride), (blocks - 1) * stride + length};
  }

  /// The same, and the next element begins `extent` words behind: columns of a matrix, or rows with a margin.
  static Shape resized(int blocks, int length, int stride, int extent) {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, length, stride, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, words_in_bytes(extent), &type);
    MPI_Type_free(&vector);
    return {type, strided(blocks, length, stride), extent};
  }

  /// What lies last travels first, and the element begins before its address.
  static Shape structure() {
    const std::array<int, 3> lengths{2, 1, 1};
    const std::array<int, 3> places{3, 0, -2};
    std::array<MPI_Aint, 3> displacements{};
    for (std::size_t i = 0; i < 3; ++i) displacements[i] = words_in_bytes(places[i]);
    const std::array<MPI_Datatype, 3> types{MPI_INT, MPI_INT, MPI_INT};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(3, lengths.data(), displacements.data(), types.data(), &type);
    return {type, {3, 4, 0, -2}, 7};
  }

  /// Words anywhere, in any order.
  static Shape scattered(int words, int extent, traffic::Random& random) {
    std::vector<int> offsets(static_cast<std::size_t>(extent));
    for (int i = 0; i < extent; ++i) offsets[static_cast<std::size_t>(i)] = i;
    random.shuffle(offsets);
    offsets.resize(static_cast<std::size_t>(words));
    MPI_Datatype block = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(words, 1, offsets.data(), MPI_INT, &block);
    MPI_Type_create_resized(block, 0, words_in_bytes(extent), &type);
    MPI_Type_free(&block);
    return {type, offsets, extent};
  }

  /// One of all of these, most often in one piece.
  static Shape any(int words, traffic::Random& random) {
    switch (random.below(6)) {
      case 0:
        return vector(words, 1, 2);
      case 1:
        return resized(words, 1, 2, 3 * words);
      case 2:
        return scattered(words, 2 * words + 1, random);
      case 3:
        return words == 4 ? structure() : scattered(words, words, random);
      default:
        return contiguous(words);
    }
  }

 private:
  static MPI_Aint words_in_bytes(int words) { return words * static_cast<MPI_Aint>(sizeof(int)); }

  static std::vector<int> strided(int blocks, int length, int stride) {
    std::vector<int> offsets;
    for (int block = 0; block < blocks; ++block) {
      for (int i = 0; i < length; ++i) offsets.push_back(block * stride + i);
    }
    return offsets;
  }

  MPI_Datatype type_;
  std::vector<int> offsets_;
  int extent_;
};

/// Memory for the words of so many elements, with gaps and a margin that nobody may touch.
class Field {
 public:
  static constexpr int untouched = -77;

  Field(const Shape& shape, std::size_t elements) {
    for (std::size_t i = 0; i < elements * shape.words(); ++i) {
      places_.push_back(shape.place(i));
      end_ = std::max(end_, shape.place(i) + 1);
    }
    all_.resize(static_cast<std::size_t>(end_ + 2 * margin));
    clear();
  }

  [[nodiscard]] std::size_t words() const { return places_.size(); }
  void clear() { all_.assign(all_.size(), untouched); }
  int* data() { return all_.data() + margin; }
  /// The word that travels as number `i` of all.
  int& operator[](std::size_t i) { return data()[places_[i]]; }
  [[nodiscard]] const std::vector<int>& all() const { return all_; }

 private:
  static constexpr std::ptrdiff_t margin = 16;

  std::vector<std::ptrdiff_t> places_;
  std::ptrdiff_t end_ = 0;
  std::vector<int> all_;
};

}  // namespace raddle::testing
