// SPDX-License-Identifier: BSD-3-Clause
// The Wilson Dslash operator on one domain,
//     D psi(x) = sum over mu of  U_mu(x) (1 - gamma_mu) psi(x + mu)  +  U_mu(x - mu)^dagger (1 + gamma_mu) psi(x - mu),
// and what it needs of the neighbouring domains. It knows nothing of MPI, and several threads may share its work: all
// that does work does a part of a list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dslash/algebra.hpp"
#include "dslash/lattice.hpp"

namespace dslash {

/// Of one site, as they are counted everywhere: 8 projections, 8 products with a link, 7 sums.
inline constexpr double flops_per_site = 8 * (12 + 2 * 66) + 7 * 24;

/// Half spinors of the sites beyond both ends of each dimension; null where it is not cut.
using Faces = std::array<std::array<const HalfSpinor*, 2>, dimensions>;

class Kernel {
 public:
  /// @param links  four of each site, in the order of sites
  Kernel(const Domain& domain, std::vector<Link> links);

  [[nodiscard]] long sites() const { return static_cast<long>(neighbours_.size()); }
  /// Sites whose neighbours are all here, and the others.
  [[nodiscard]] std::span<const int> interior() const { return interior_; }
  [[nodiscard]] std::span<const int> boundary() const { return boundary_; }
  /// Sites at one end of a dimension.
  [[nodiscard]] std::span<const int> face(int dimension, End end) const { return faces_[dimension][end]; }

  /// Half spinors `begin` to `end` of a face, as the neighbour there needs them. Links belong to the lower site, so
  /// what goes up is multiplied here and what goes down is not.
  void pack(int dimension, End face_end, const Spinor* in, HalfSpinor* out, long begin, long end) const;

  /// D psi on sites of the interior.
  void apply_interior(const Spinor* in, Spinor* out, std::span<const int> sites) const;
  /// D psi on any sites.
  void apply_boundary(const Spinor* in, const Faces& beyond, Spinor* out, std::span<const int> sites) const;

 private:
  template <int dimension, bool has_faces>
  void hop(long site, const Spinor* in, const Faces& beyond, Spinor& sum) const;
  template <bool has_faces>
  void apply(const Spinor* in, const Faces& beyond, Spinor* out, std::span<const int> sites) const;
  void list_neighbours(const Domain& domain);

  std::vector<Link> links_;
  /// By dimension and end: the site there, or (negative) ~ the place in the neighbour's face.
  std::vector<std::array<std::array<std::int32_t, 2>, dimensions>> neighbours_;
  std::vector<int> interior_;
  std::vector<int> boundary_;
  std::array<std::array<std::vector<int>, 2>, dimensions> faces_;
};

}  // namespace dslash
