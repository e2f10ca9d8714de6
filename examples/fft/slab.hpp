// SPDX-License-Identifier: BSD-3-Clause
// One part of the grid: some planes of it before the transpose, some rows of every plane after it.
#pragma once

#include <vector>

#include "array.hpp"
#include "grid.hpp"

namespace fft {

/// One block for each part, one after the other; counted in rows of n2 cells.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> starts;
};

class Slab {
 public:
  Slab(const Grid& grid, int part, int parts);

  const Grid grid;
  const int parts;
  const Range planes;  ///< of the first dimension, before
  const Range rows;    ///< of the second dimension, after

  Array by_plane;  ///< [planes][n1][n2]
  Array by_row;    ///< [rows][n0][n2]

  /// What travels: to or from each part the rows that are in our planes and its rows, or in its planes and our rows.
  Blocks plane_blocks;
  Blocks row_blocks;
  Array plane_packed;  ///< for each part [planes][its rows][n2]
  Array row_packed;    ///< for each part [its planes][rows][n2]

  [[nodiscard]] Complex* plane(int i) { return &by_plane[static_cast<std::size_t>(i) * grid.rows() * grid.length()]; }
  [[nodiscard]] Complex* columns(int i) {
    return &by_row[static_cast<std::size_t>(i) * static_cast<std::size_t>(grid.n0) * grid.length()];
  }

  /// Some of our planes into their blocks, or out of them.
  void pack_planes(Range some);
  void unpack_planes(Range some);
  /// The same for some of our rows.
  void pack_rows(Range some);
  void unpack_rows(Range some);

 private:
  template <typename Copy>
  void each_of_planes(Range some, Copy copy);
  template <typename Copy>
  void each_of_rows(Range some, Copy copy);
};

}  // namespace fft
