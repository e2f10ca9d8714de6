// SPDX-License-Identifier: BSD-3-Clause
// The operator written down as it is defined, with gamma matrices of 4 x 4 numbers, on the whole lattice and without
// communication: what the kernel has to agree with, sharing none of its code but the fields.
#pragma once

#include <functional>

#include "dslash/algebra.hpp"
#include "dslash/fields.hpp"

namespace dslash {

using Gamma = std::array<std::array<Complex, spins>, spins>;

/// The matrix of a dimension; and their product, gamma_5.
const Gamma& gamma(int dimension);
Gamma gamma5();

Gamma operator*(const Gamma& a, const Gamma& b);
Spinor operator*(const Gamma& a, const Spinor& psi);

/// Whether they are hermitian and anticommute, as Dirac's must: then (and only then) D has the properties tested.
bool is_clifford();

/// A value, and what its terms amount to without their signs: rounding errors are a small multiple of that.
struct Bounded {
  Spinor value;
  std::array<std::array<double, colours>, spins> terms{};
};

/// D psi at one site of the whole lattice.
Bounded reference(const Gauge& gauge, const std::function<Spinor(const Site&)>& psi, const Site& site);

}  // namespace dslash
