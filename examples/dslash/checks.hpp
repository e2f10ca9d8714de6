// SPDX-License-Identifier: BSD-3-Clause
// Whether the operator is right, on all domains together. Each check says on one member what it found, and the verdict
// is the same on all. Bounds are those of rounding errors, derived in checks.cpp.
#pragma once

#include "dslash/fields.hpp"
#include "dslash/member.hpp"

namespace dslash {

/// D x is what the definition gives, at each site of the lattice.
bool agrees_with_reference(Member& member, const Gauge& gauge);

/// <x, gamma_5 D gamma_5 y> = <D x, y>
bool is_gamma5_hermitian(Member& member, const Gauge& gauge);

/// Without a gauge field, plane waves are eigenvectors: D exp(ipx) = (sum of 2 cos p - 2i gamma sin p) exp(ipx).
bool has_plane_waves(Member& member, const Gauge& free_field);

}  // namespace dslash
