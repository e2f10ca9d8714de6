// SPDX-License-Identifier: BSD-3-Clause
#include "slab.hpp"

#include <algorithm>

namespace fft {
namespace {

Blocks blocks(int parts, int ours, int n) {
  Blocks made;
  int start = 0;
  for (int part = 0; part < parts; ++part) {
    made.counts.push_back(ours * share(n, part, parts).size());
    made.starts.push_back(start);
    start += made.counts.back();
  }
  return made;
}

std::size_t cells(const Grid& grid, int rows, int of_each) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(of_each) * grid.length();
}

}  // namespace

Slab::Slab(const Grid& whole, int part, int all)
    : grid(whole),
      parts(all),
      planes(share(grid.n0, part, parts)),
      rows(share(grid.n1, part, parts)),
      by_plane(make_array(cells(grid, planes.size(), grid.n1))),
      by_row(make_array(cells(grid, rows.size(), grid.n0))),
      plane_blocks(blocks(parts, planes.size(), grid.n1)),
      row_blocks(blocks(parts, rows.size(), grid.n0)),
      plane_packed(make_array(cells(grid, planes.size(), grid.n1))),
      row_packed(make_array(cells(grid, rows.size(), grid.n0))) {}

template <typename Copy>
void Slab::each_of_planes(Range some, Copy copy) {
  for (int part = 0; part < parts; ++part) {
    const Range its = share(grid.n1, part, parts);
    for (int i = some.begin; i < some.end; ++i) {
      // All its rows of a plane lie together, in the plane as in the block.
      const auto packed = static_cast<std::size_t>(plane_blocks.starts[static_cast<std::size_t>(part)]) +
                          static_cast<std::size_t>(i) * static_cast<std::size_t>(its.size());
      copy(plane(i) + static_cast<std::size_t>(its.begin) * grid.length(), &plane_packed[packed * grid.length()],
           static_cast<std::size_t>(its.size()) * grid.length());
    }
  }
}

template <typename Copy>
void Slab::each_of_rows(Range some, Copy copy) {
  for (int part = 0; part < parts; ++part) {
    const Range its = share(grid.n0, part, parts);
    for (int i0 = its.begin; i0 < its.end; ++i0) {
      for (int i = some.begin; i < some.end; ++i) {
        const auto packed = static_cast<std::size_t>(row_blocks.starts[static_cast<std::size_t>(part)]) +
                            static_cast<std::size_t>(i0 - its.begin) * static_cast<std::size_t>(rows.size()) +
                            static_cast<std::size_t>(i);
        copy(columns(i) + static_cast<std::size_t>(i0) * grid.length(), &row_packed[packed * grid.length()],
             grid.length());
      }
    }
  }
}

void Slab::pack_planes(Range some) {
  each_of_planes(some, [](Complex* own, Complex* packed, std::size_t count) { std::copy_n(own, count, packed); });
}

void Slab::unpack_planes(Range some) {
  each_of_planes(some, [](Complex* own, Complex* packed, std::size_t count) { std::copy_n(packed, count, own); });
}

void Slab::pack_rows(Range some) {
  each_of_rows(some, [](Complex* own, Complex* packed, std::size_t count) { std::copy_n(own, count, packed); });
}

void Slab::unpack_rows(Range some) {
  each_of_rows(some, [](Complex* own, Complex* packed, std::size_t count) { std::copy_n(packed, count, own); });
}

}  // namespace fft
