// SPDX-License-Identifier: BSD-3-Clause
// Projection of spins. In the chiral basis each gamma matrix is
//     (   0      s  )     with s = i sigma_1, i sigma_2, i sigma_3 and 1,
//     ( s^dagger 0  )
// so the lower half of (1 + sign gamma) psi is sign s^dagger times its upper half: two spins of four are enough.
#pragma once

#include "dslash/algebra.hpp"

namespace dslash {

/// s of a dimension times two spins.
template <int dimension>
constexpr HalfSpinor rotated(const Colour& first, const Colour& second) {
  if constexpr (dimension == 0) return {times_i(second), times_i(first)};
  if constexpr (dimension == 1) return {second, Colour{} - first};
  if constexpr (dimension == 2) return {times_i(first), Colour{} - times_i(second)};
  if constexpr (dimension == 3) return {first, second};
}

/// s^dagger of a dimension times two spins: s is anti-hermitian but for time, where it is 1.
template <int dimension>
constexpr HalfSpinor rotated_back(const HalfSpinor& half) {
  const HalfSpinor rotation = rotated<dimension>(half[0], half[1]);
  if constexpr (dimension == 3) return rotation;
  return {Colour{} - rotation[0], Colour{} - rotation[1]};
}

/// The upper half of (1 + sign gamma) psi.
template <int dimension, int sign>
constexpr HalfSpinor projected(const Spinor& psi) {
  const HalfSpinor other = rotated<dimension>(psi[2], psi[3]);
  if constexpr (sign > 0) return {psi[0] + other[0], psi[1] + other[1]};
  return {psi[0] - other[0], psi[1] - other[1]};
}

/// Adds both halves of what `half` is the upper one of.
template <int dimension, int sign>
constexpr void add_reconstructed(Spinor& sum, const HalfSpinor& half) {
  const HalfSpinor other = rotated_back<dimension>(half);
  sum[0] = sum[0] + half[0];
  sum[1] = sum[1] + half[1];
  sum[2] = sign > 0 ? sum[2] + other[0] : sum[2] - other[0];
  sum[3] = sign > 0 ? sum[3] + other[1] : sum[3] - other[1];
}

}  // namespace dslash
