// SPDX-License-Identifier: BSD-3-Clause
// Datatypes of one signature that lie in memory in different ways, and a map of their bytes made without MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "random.hpp"

namespace raddle::traffic {

/// What a unit of a message is made of. All messages of a round have the same, since a wildcard receive may get any.
enum class Signature { bytes, ints, mixed };

/// Bytes of a unit in a message: gaps do not travel.
std::size_t unit_bytes(Signature signature) noexcept;

/// One piece of memory, in the order of the message.
struct Piece {
  std::size_t offset;
  std::size_t bytes;
};

/// `count` items of `type`, together as many units as were asked for.
class Layout {
 public:
  /// In one piece (a struct has its own gaps), a vector with gaps, two parts in the wrong order, or a contiguous type
  /// of vectors; at random.
  Layout(Signature signature, std::size_t units, Random& random);
  Layout(Layout&& other) noexcept;
  /// The map alone, without a type of its own.
  Layout(const Layout& other);
  Layout& operator=(const Layout&) = delete;
  Layout& operator=(Layout&&) = delete;
  ~Layout() { forget(); }

  [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] std::size_t units() const noexcept { return units_; }
  [[nodiscard]] Signature signature() const noexcept { return signature_; }
  /// From the first byte to behind the last.
  [[nodiscard]] std::size_t span() const noexcept { return span_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  /// What MPI_Get_count and MPI_Get_elements must say of a message of so many units.
  [[nodiscard]] int expected_count(std::size_t units) const noexcept;
  [[nodiscard]] int expected_elements(std::size_t units) const noexcept;
  /// Frees the type, as a program may once an operation has started.
  void forget();

 private:
  struct Part {
    std::size_t offset;  ///< in bytes
    std::size_t units;
  };
  void place(const std::vector<Part>& parts);
  void vector(std::size_t units, Random& random);
  void two_parts(std::size_t units, Random& random);
  bool contiguous_of_vectors(std::size_t units, Random& random);
  void commit();

  Signature signature_;
  std::size_t units_;
  std::size_t units_per_item_ = 1;
  std::size_t extent_;         ///< of a unit
  std::vector<Piece> inside_;  ///< of a unit
  MPI_Datatype unit_ = MPI_BYTE;
  MPI_Datatype type_ = MPI_BYTE;
  int count_ = 0;
  std::size_t span_ = 0;
  std::vector<Piece> pieces_;
  std::vector<MPI_Datatype> made_;
};

}  // namespace raddle::traffic
