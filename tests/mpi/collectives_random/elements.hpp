// SPDX-License-Identifier: BSD-3-Clause
// What buffers are made of: MPI's named datatypes and two of ours, with what they hold and the operators they take.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arithmetic.hpp"

namespace raddle::collectives {

/// One piece of memory.
struct Piece {
  std::ptrdiff_t offset;
  std::size_t bytes;
};

struct Element {
  std::string name;
  MPI_Datatype type;
  std::size_t extent;
  std::vector<Piece> pieces;  ///< what it consists of: all else is a gap
  std::vector<Op> ops;
  /// Writes a rank's contribution to a reduction, over zeros.
  void (*make)(Op, std::uint64_t bits, int contributor, std::byte* to);
  /// `right` becomes `left op right`; left comes from the lower ranks.
  void (*combine)(Op, const std::byte* left, std::byte* right);
  /// Whether two results mean the same: truths, zeros and padding have more than one look.
  bool (*same)(Op, const std::byte* left, const std::byte* right);

  bool padded = false;  ///< pieces have bytes that mean nothing
};

constexpr std::size_t largest_extent = 32;

/// All of them, made once by `make_elements` and the same for all threads.
const std::vector<Element>& elements();
void make_elements();
void free_elements();
/// The one that the operators of ours take.
const Element& couple();

}  // namespace raddle::collectives
