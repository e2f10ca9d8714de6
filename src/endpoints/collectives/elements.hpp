// SPDX-License-Identifier: BSD-3-Clause
// Elements of a datatype, as operators of reductions see them: in memory as the datatype says, gaps included.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace raddle::endpoints::collectives {

class Elements {
 public:
  Elements() = default;
  /// The datatype must live as long as this.
  explicit Elements(MPI_Datatype type);

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  /// Whether elements follow each other without gaps, from their address on.
  [[nodiscard]] bool dense() const { return dense_; }
  /// Of the memory of so many. @pre dense()
  [[nodiscard]] std::size_t bytes(MPI_Count count) const { return size_ * static_cast<std::size_t>(count); }

  [[nodiscard]] const void* at(const void* first, MPI_Count element) const {
    return static_cast<const std::byte*>(first) + element * extent_;
  }
  [[nodiscard]] void* at(void* first, MPI_Count element) const {
    return static_cast<std::byte*>(first) + element * extent_;
  }
  /// Copies elements, and no gaps. @returns an MPI error code
  int copy(const void* from, void* to, MPI_Count count) const;
  /// The same from and to their bytes in one piece.
  int pack(const void* from, std::byte* to, MPI_Count count) const;
  int unpack(const std::byte* from, void* to, MPI_Count count) const;
  [[nodiscard]] std::size_t packed(MPI_Count count) const { return size_ * static_cast<std::size_t>(count); }

  /// Makes `storage` large enough. @returns where the first element is
  void* room(std::vector<std::byte>& storage, MPI_Count count) const;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::size_t size_ = 0;
  MPI_Aint extent_ = 0;
  MPI_Aint lowest_ = 0;    ///< where the first byte of an element is
  MPI_Aint greatest_ = 0;  ///< and behind its last one
  bool dense_ = true;
};

}  // namespace raddle::endpoints::collectives
