// SPDX-License-Identifier: BSD-3-Clause
// The fields of a run. What a site has depends on the seed and on its place in the whole lattice alone, so all
// decompositions have the same, and whoever wants to know a site's asks nobody for it.
#pragma once

#include <cstdint>
#include <vector>

#include "dslash/algebra.hpp"
#include "dslash/lattice.hpp"

namespace dslash {

struct Gauge {
  Lattice lattice;
  std::uint64_t seed = 1;
  bool free = false;  ///< all links are 1
};

/// The link from a site to the next one in a dimension: a random matrix of SU(3) (Haar measure), or 1; with the sign of
/// the boundary condition where time wraps around.
Link link_at(const Gauge& gauge, const Site& site, int dimension);

/// Components with normal distribution. Different `stream`s are different fields.
Spinor random_spinor(const Gauge& gauge, int stream, const Site& site);

/// The four links of each site of a domain, and its part of a random spinor field.
std::vector<Link> links_of(const Gauge& gauge, const Domain& domain);
std::vector<Spinor> random_spinors(const Gauge& gauge, int stream, const Domain& domain);

/// The place in the whole lattice of a site of a domain.
Site global(const Domain& domain, const Site& site);

}  // namespace dslash
