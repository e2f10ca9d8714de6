// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers, colour vectors, spinors, and the matrices of SU(3).
#pragma once

#include <array>
#include <cstddef>

namespace dslash {

/// Without std::complex's care for infinities, which would be a call for each product.
struct Complex {
  double re = 0;
  double im = 0;
};
constexpr Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
constexpr Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
constexpr Complex operator-(Complex a) { return {-a.re, -a.im}; }
constexpr Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
constexpr Complex operator*(double a, Complex b) { return {a * b.re, a * b.im}; }
constexpr Complex conj(Complex a) { return {a.re, -a.im}; }
constexpr Complex times_i(Complex a) { return {-a.im, a.re}; }
constexpr double norm(Complex a) { return a.re * a.re + a.im * a.im; }

inline constexpr std::size_t colours = 3;
inline constexpr std::size_t spins = 4;

using Colour = std::array<Complex, colours>;
using HalfSpinor = std::array<Colour, spins / 2>;
using Spinor = std::array<Colour, spins>;
using Link = std::array<Colour, colours>;  ///< rows of a matrix of SU(3)

constexpr Colour operator+(const Colour& a, const Colour& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
constexpr Colour operator-(const Colour& a, const Colour& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
constexpr Colour times_i(const Colour& a) { return {times_i(a[0]), times_i(a[1]), times_i(a[2])}; }

/// u v
constexpr Colour transported(const Link& u, const Colour& v) {
  Colour result;
  for (std::size_t row = 0; row < colours; ++row) result[row] = u[row][0] * v[0] + u[row][1] * v[1] + u[row][2] * v[2];
  return result;
}

/// u^dagger v
constexpr Colour transported_back(const Link& u, const Colour& v) {
  Colour result;
  for (std::size_t row = 0; row < colours; ++row)
    result[row] = conj(u[0][row]) * v[0] + conj(u[1][row]) * v[1] + conj(u[2][row]) * v[2];
  return result;
}

}  // namespace dslash
