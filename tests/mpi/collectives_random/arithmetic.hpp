// SPDX-License-Identifier: BSD-3-Clause
// What operators do to the elements of C's types, and contributions for which every order of evaluation that MPI allows
// gives the same: small integers as floating-point numbers, products of few twos.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace raddle::collectives {

enum class Op {
  none,  ///< of a collective that only moves data
  sum,
  prod,
  max,
  min,
  land,
  lor,
  lxor,
  band,
  bor,
  bxor,
  maxloc,
  minloc,
  mixing,  ///< ours, commutative: a sum and an exclusive or, of two numbers
  affine,  ///< ours, not commutative: x -> a x + b after that of the ranks before, modulo 2^32
};

constexpr bool logical(Op op) noexcept { return op == Op::land || op == Op::lor || op == Op::lxor; }

/// As MPI_DOUBLE_INT and the like, with an index.
template <typename T>
struct Located {
  T value;
  int index;
};

/// Two numbers with a gap between them, for the operators that are ours.
struct Couple {
  std::uint32_t a;
  std::uint32_t gap;
  std::uint32_t b;
};

/// @param bits random ones; @param contributor the rank
template <typename T>
T contribution(Op op, std::uint64_t bits, int contributor) noexcept {
  constexpr bool negative = std::is_signed_v<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return (bits & 1U) != 0;
  } else {
    if (op == Op::sum) return static_cast<T>(negative ? static_cast<int>(bits % 7) - 3 : static_cast<int>(bits % 4));
    if (op == Op::prod) {
      if (contributor % 4 == 0 && bits % 3 == 0) return static_cast<T>(2);
      return static_cast<T>(negative && bits % 2 == 0 ? -1 : 1);
    }
    if (logical(op)) return static_cast<T>(bits % 3);
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(static_cast<int>(bits % 2000) - 1000);
    } else {
      return static_cast<T>(bits);
    }
  }
}

template <typename T>
T combined(Op op, T left, T right) noexcept {
  if (op == Op::max) return std::max(left, right);
  if (op == Op::min) return std::min(left, right);
  const bool x = left != T{};
  const bool y = right != T{};
  if (op == Op::land) return static_cast<T>(x && y);
  if (op == Op::lor) return static_cast<T>(x || y);
  if (op == Op::lxor) return static_cast<T>(x != y);
  if constexpr (std::is_same_v<T, bool>) {
    return left;
  } else if constexpr (std::is_floating_point_v<T>) {
    return op == Op::sum ? left + right : left * right;
  } else {
    // Unsigned numbers may wrap; the others are kept small.
    const std::uint64_t a = static_cast<std::make_unsigned_t<T>>(left);
    const std::uint64_t b = static_cast<std::make_unsigned_t<T>>(right);
    if (op == Op::sum) return static_cast<T>(a + b);
    if (op == Op::prod) return static_cast<T>(a * b);
    if (op == Op::band) return static_cast<T>(a & b);
    if (op == Op::bor) return static_cast<T>(a | b);
    return static_cast<T>(a ^ b);
  }
}

template <typename T>
bool same(Op op, T left, T right) noexcept {
  return logical(op) ? (left != T{}) == (right != T{}) : left == right;
}

// Complex numbers: sums, and products of ones with one root of unity or another.

template <typename T>
std::complex<T> contribution_complex(Op op, std::uint64_t bits, int contributor) noexcept {
  if (op == Op::sum) return {static_cast<T>(bits % 9) - 4, static_cast<T>((bits >> 8U) % 9) - 4};
  if (contributor % 4 == 0 && bits % 5 == 0) return {1, 1};
  switch (bits % 4) {
    case 0:
      return {1, 0};
    case 1:
      return {-1, 0};
    case 2:
      return {0, 1};
    default:
      return {0, -1};
  }
}

template <typename T>
std::complex<T> combined_complex(Op op, std::complex<T> left, std::complex<T> right) noexcept {
  if (op == Op::sum) return left + right;
  return {left.real() * right.real() - left.imag() * right.imag(),
          left.real() * right.imag() + left.imag() * right.real()};
}

// Few different values, so that the index decides.

template <typename T>
Located<T> contribution_located(std::uint64_t bits, int contributor) noexcept {
  return {static_cast<T>(bits % 3), static_cast<int>((bits >> 8U) % 50) + contributor};
}

template <typename T>
Located<T> combined_located(Op op, Located<T> left, Located<T> right) noexcept {
  if (left.value == right.value) return {left.value, std::min(left.index, right.index)};
  return (left.value > right.value) == (op == Op::maxloc) ? left : right;
}

inline Couple combined_couple(Op op, Couple left, Couple right) noexcept {
  if (op == Op::mixing) return {left.a + right.a, 0, left.b ^ right.b};
  return {left.a * right.a, 0, left.b * right.a + right.b};
}

}  // namespace raddle::collectives
