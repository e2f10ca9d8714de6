// SPDX-License-Identifier: BSD-3-Clause
// What Dslash is made of, without an MPI: domains, random links, projections.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "dslash/fields.hpp"
#include "dslash/reference.hpp"
#include "dslash/spin.hpp"

namespace dslash {
namespace {

const Gauge gauge{{{5, 3, 4, 7}}};

double distance(const Colour& a, const Colour& b) {
  return std::sqrt(norm(a[0] - b[0]) + norm(a[1] - b[1]) + norm(a[2] - b[2]));
}

TEST(DslashGrid, HasTheSmallestFacesThenTheLargestInterior) {
  EXPECT_EQ(choose_grid(1, {4, 4, 4, 8}), (Site{1, 1, 1, 1}));
  EXPECT_EQ(choose_grid(2, {4, 4, 4, 8}), (Site{1, 1, 1, 2}));
  EXPECT_EQ(choose_grid(2, {16, 4, 4, 8}), (Site{2, 1, 1, 1}));
  EXPECT_EQ(choose_grid(4, {8, 8, 8, 8}), (Site{1, 1, 2, 2}));
  EXPECT_EQ(choose_grid(16, {8, 8, 8, 8}), (Site{2, 2, 2, 2}));
  EXPECT_EQ(choose_grid(3, {2, 3, 2, 2}), (Site{1, 3, 1, 1}));
  EXPECT_THROW(choose_grid(5, {4, 4, 4, 4}), std::invalid_argument);
}

TEST(DslashGrid, DomainsAreTheWholeLatticeOnce) {
  const Site grid{2, 3, 1, 3};
  std::set<Site> seen;
  for (int rank = 0; rank < volume(grid); ++rank) {
    const Domain domain = domain_of(rank, grid, gauge.lattice);
    for (long i = 0; i < volume(domain.extent); ++i)
      EXPECT_TRUE(seen.insert(global(domain, site_of(i, domain.extent))).second);
  }
  EXPECT_EQ(static_cast<long>(seen.size()), volume(gauge.lattice.extent));
  EXPECT_THROW(domain_of(0, {1, 4, 1, 1}, gauge.lattice), std::invalid_argument);
}

TEST(DslashGrid, NeighboursAgreeOnWhereTheyMeet) {
  const Site grid{2, 3, 1, 3};
  for (int rank = 0; rank < volume(grid); ++rank) {
    const Domain domain = domain_of(rank, grid, gauge.lattice);
    for (int d = 0; d < dimensions; ++d) {
      const Domain above = domain_of(domain.neighbour[d][upper], grid, gauge.lattice);
      EXPECT_EQ(above.neighbour[d][lower], rank);
      EXPECT_EQ((domain.origin[d] + domain.extent[d]) % gauge.lattice.extent[d], above.origin[d]);
      EXPECT_EQ(domain.cut[d], grid[d] > 1);
    }
  }
}

TEST(DslashFields, LinksAreOfSu3AndDifferent) {
  std::set<double> different;
  for (long i = 0; i < 50; ++i) {
    const Link u = link_at(gauge, site_of(i, gauge.lattice.extent), static_cast<int>(i) % dimensions);
    for (std::size_t a = 0; a < colours; ++a) {
      Colour column{};
      column[a] = {1, 0};
      EXPECT_LT(distance(transported_back(u, transported(u, column)), column), 1e-14);
    }
    const auto minor = [&](std::size_t a, std::size_t b) { return u[1][a] * u[2][b] - u[1][b] * u[2][a]; };
    const Complex determinant = u[0][0] * minor(1, 2) + u[0][1] * minor(2, 0) + u[0][2] * minor(0, 1);
    EXPECT_LT(norm(determinant - Complex{1, 0}), 1e-28);
    different.insert(u[0][0].re);
  }
  EXPECT_EQ(different.size(), 50U);
}

TEST(DslashFields, OnlyTheSeedTheStreamAndTheSiteCount) {
  const Gauge other{gauge.lattice, 2};
  const Site site{1, 2, 3, 4};
  EXPECT_EQ(distance(random_spinor(gauge, 0, site)[0], random_spinor(gauge, 0, site)[0]), 0);
  EXPECT_GT(distance(random_spinor(gauge, 0, site)[0], random_spinor(gauge, 1, site)[0]), 1e-3);
  EXPECT_GT(distance(random_spinor(gauge, 0, site)[0], random_spinor(other, 0, site)[0]), 1e-3);
  EXPECT_GT(distance(link_at(gauge, site, 0)[0], link_at(other, site, 0)[0]), 1e-3);
}

TEST(DslashFields, SpinorsChangeTheirSignWhereTimeEnds) {
  Gauge twisted = gauge;
  twisted.lattice.antiperiodic = true;
  for (int t = 0; t < 7; ++t) {
    const double sign = t == 6 ? -1 : 1;
    const Site site{1, 2, 3, t};
    EXPECT_EQ(link_at(twisted, site, time_dimension)[1][2].re, sign * link_at(gauge, site, time_dimension)[1][2].re);
    EXPECT_EQ(link_at(twisted, site, 0)[1][2].re, link_at(gauge, site, 0)[1][2].re);
  }
}

TEST(DslashSpin, MatricesAreDiracs) {
  EXPECT_TRUE(is_clifford());
  for (std::size_t s = 0; s < spins; ++s) EXPECT_EQ(norm(gamma5()[s][s]), 1);
}

/// (1 + sign gamma) psi, from half of it.
template <int dimension, int sign>
void expect_projection() {
  const Spinor psi = random_spinor(gauge, 0, {});
  const Spinor turned = gamma(dimension) * psi;
  Spinor sum{};
  add_reconstructed<dimension, sign>(sum, projected<dimension, sign>(psi));
  for (std::size_t s = 0; s < spins; ++s) {
    const Colour expected = sign > 0 ? psi[s] + turned[s] : psi[s] - turned[s];
    EXPECT_LT(distance(sum[s], expected), 1e-15) << dimension << ' ' << sign << ' ' << s;
  }
}

TEST(DslashSpin, HalfASpinorIsEnough) {
  expect_projection<0, +1>();
  expect_projection<0, -1>();
  expect_projection<1, +1>();
  expect_projection<1, -1>();
  expect_projection<2, +1>();
  expect_projection<2, -1>();
  expect_projection<3, +1>();
  expect_projection<3, -1>();
}

}  // namespace
}  // namespace dslash
