// SPDX-License-Identifier: BSD-3-Clause
// The grid, and how it is dealt out.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace fft {

using Complex = std::complex<double>;

struct Range {
  int begin;
  int end;
  [[nodiscard]] int size() const { return end - begin; }
};

/// What falls to `part` of `parts` of `n` things. Where they do not divide, some get one more than others, or one and
/// others none.
inline Range share(int n, int part, int parts) {
  const auto first = [&](std::int64_t p) { return static_cast<int>(n * p / parts); };
  return {first(part), first(part + 1)};
}

/// n0 planes of n1 rows of n2 cells; cells of a row lie beside each other.
struct Grid {
  int n0;
  int n1;
  int n2;

  [[nodiscard]] std::size_t row(int i0, int i1) const { return static_cast<std::size_t>(i0) * rows() + at(i1); }
  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(n1); }
  [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(n2); }
  [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(n0) * rows() * length(); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

/// What is transformed: a number for each cell that looks like chance and that everybody can compute.
inline Complex input(std::size_t cell) {
  const auto mixed = [](std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>(static_cast<std::int64_t>(x ^ (x >> 31U))) * 0x1p-63;
  };
  return {mixed(2 * cell + 1), mixed(2 * cell + 2)};
}

}  // namespace fft
