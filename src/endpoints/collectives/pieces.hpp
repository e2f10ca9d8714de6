// SPDX-License-Identifier: BSD-3-Clause
// The buffers that a collective call is given: one piece of data, or one for each rank.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "endpoints/datatypes/layout.hpp"

namespace raddle::endpoints::collectives {

/// An array of the program's: counts or displacements, `int` or of the large kind (MPI_Count, MPI_Aint). The program
/// keeps it as it is until the operation is complete (MPI-4.1 section 6.12). Some do not, and get away with it, since
/// MPIs read it at once; so operations that last copy it.
class Numbers {
 public:
  Numbers() = default;
  /// Whether the program has given an array, or all are the same.
  [[nodiscard]] bool are_there() const { return data_ != nullptr || alike_; }
  /// Whether both are one array of the program's.
  [[nodiscard]] bool same_array(const Numbers& other) const { return data_ != nullptr && data_ == other.data_; }
  /// All the same.
  static Numbers alike(std::int64_t number) {
    Numbers all;
    all.same_ = number;
    all.alike_ = true;
    return all;
  }
  // Implicit, so that one function takes the arrays of both forms of an MPI function.
  Numbers(const int* numbers) : data_(numbers) {}  // NOLINT(google-explicit-constructor)
  template <typename Large>
  Numbers(const Large* numbers)  // NOLINT(google-explicit-constructor)
      : data_(numbers), large_(true) {
    static_assert(sizeof(Large) == sizeof(std::int64_t));
  }

  /// The same numbers, in an array for so many.
  [[nodiscard]] Numbers copied_to(std::int64_t* to, int count) const {
    if (data_ == nullptr) return *this;
    for (int i = 0; i < count; ++i) to[i] = (*this)[i];
    return {to};
  }

  [[nodiscard]] std::int64_t operator[](int i) const {
    if (data_ == nullptr) return same_;
    const auto at = static_cast<std::size_t>(i);
    if (!large_) return static_cast<const int*>(data_)[at];
    std::int64_t number = 0;
    std::memcpy(&number, static_cast<const std::byte*>(data_) + at * sizeof number, sizeof number);
    return number;
  }

 private:
  const void* data_ = nullptr;
  std::int64_t same_ = 0;
  bool large_ = false;
  bool alike_ = false;
};

/// Where pieces lie. A datatype must live as long as this.
class Pieces {
 public:
  Pieces() = default;

  /// One behind the other.
  static Pieces uniform(const void* buffer, MPI_Count count, MPI_Datatype type);
  /// Displacements in extents of the datatype.
  static Pieces varying(const void* buffer, Numbers counts, Numbers displacements, MPI_Datatype type);
  /// Displacements in bytes.
  static Pieces free(const void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types);

  /// Whether all arrays have been given.
  [[nodiscard]] bool complete() const;
  /// @returns an MPI error code: whether the first `pieces` can be described
  [[nodiscard]] int check(int pieces) const;

  [[nodiscard]] std::size_t bytes(int piece) const;
  [[nodiscard]] int describe(int piece, Layout& layout) const {
    return layout.describe(address(piece), count(piece), type(piece));
  }

  /// Whether all have the same length.
  [[nodiscard]] bool alike() const { return alike_; }
  [[nodiscard]] bool in_place() const { return buffer_ == MPI_IN_PLACE; }
  /// Whether there is one datatype for all, and it is null.
  [[nodiscard]] bool of_null_type() const { return kind_ != Displacements::bytes && type_ == MPI_DATATYPE_NULL; }
  [[nodiscard]] const void* address(int piece) const;
  [[nodiscard]] MPI_Count count(int piece) const { return counts_[piece]; }
  [[nodiscard]] MPI_Datatype type(int piece) const {
    return types_ == nullptr ? type_ : types_[static_cast<std::size_t>(piece)];
  }

 private:
  enum class Displacements : std::uint8_t { none, extents, bytes };

  std::byte* buffer_ = nullptr;
  Numbers counts_;
  bool alike_ = true;
  Displacements kind_ = Displacements::none;
  Numbers displacements_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  const MPI_Datatype* types_ = nullptr;
  MPI_Aint extent_ = 0;
};

/// The size of an element in bytes, and its extent.
[[nodiscard]] std::size_t size_of(MPI_Datatype type);
[[nodiscard]] MPI_Aint extent_of(MPI_Datatype type);

/// What an endpoint brings: its pieces as bytes in one piece each, which others read.
class Brought {
 public:
  /// @param own whether the pieces may not be read where they lie, since the program's memory changes meanwhile
  /// @returns an MPI error code
  int bring(const Pieces& pieces, int count, bool own);
  [[nodiscard]] std::span<const std::byte> operator[](int piece) const {
    return count_ == 1 ? only_ : spans_[static_cast<std::size_t>(piece)];
  }
  [[nodiscard]] bool any() const { return count_ > 0; }
  [[nodiscard]] std::span<const std::span<const std::byte>> all() const {
    return count_ == 1 ? std::span(&only_, 1) : std::span<const std::span<const std::byte>>(spans_);
  }

 private:
  int bring_many(const Pieces& pieces, bool own);

  int count_ = 0;
  std::span<const std::byte> only_;  ///< of one
  std::vector<std::span<const std::byte>> spans_;
  std::vector<std::byte> packed_;
};

/// Puts bytes where a piece lies; as many as it has room for. @returns an MPI error code, MPI_ERR_TRUNCATE if there is
/// less room
int put(std::span<const std::byte> bytes, const Pieces& pieces, int piece);

}  // namespace raddle::endpoints::collectives
