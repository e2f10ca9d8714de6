// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "dslash/reference.hpp"

namespace dslash {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon() / 2;

/// Roundings that a component of D psi may have gone through: 12 x 8 sums, 2 products of which each sums two terms, in
/// the reference; 13 in the kernel; and some to spare for their squares.
constexpr double roundings = 128;

double error_of(Complex computed, Complex exact) {
  return std::max(std::fabs(computed.re - exact.re), std::fabs(computed.im - exact.im));
}

/// This member's part of its domain.
template <typename Visit>
void for_own_sites(Member& member, Visit&& visit) {
  const Domain& domain = member.part()->dirac.domain();
  const long sites = volume(domain.extent);
  for (long i = member.first_of(sites); i < member.last_of(sites); ++i)
    visit(i, global(domain, site_of(i, domain.extent)));
}

void apply(Member& member, const std::vector<Spinor>& in, std::vector<Spinor>& out) {
  Times unused{};
  member.part()->dirac.apply(in.data(), out.data(), member, unused);
}

/// The largest error, in units of its bound, and whether every site was looked at and none was beyond it.
bool verdict(Member& member, const char* what, double worst, double sites, const Gauge& gauge) {
  member.combine(std::span(&worst, 1), MPI_MAX);
  member.sum(std::span(&sites, 1));
  const bool right = worst <= 1 && sites == static_cast<double>(volume(gauge.lattice.extent));
  if (member.speaks())
    std::printf("  %-24s %s: the largest error is %.2g of its bound, at %.0f sites\n", what, right ? "right" : "WRONG",
                worst, sites);
  return right;
}

/// <a, b>
Complex product(const Spinor& a, const Spinor& b) {
  Complex sum;
  for (std::size_t s = 0; s < spins; ++s)
    for (std::size_t c = 0; c < colours; ++c) sum = sum + conj(a[s][c]) * b[s][c];
  return sum;
}

/// A NaN must not pass for small.
double worse(double a, double b) { return b <= a ? a : (std::isnan(b) ? std::numeric_limits<double>::infinity() : b); }

}  // namespace

bool agrees_with_reference(Member& member, const Gauge& gauge) {
  Part& part = *member.part();
  apply(member, part.x, part.image);
  double worst = is_clifford() ? 0 : std::numeric_limits<double>::infinity();
  double sites = 0;
  for_own_sites(member, [&](long i, const Site& site) {
    const auto x = [&](const Site& there) { return random_spinor(gauge, 0, there); };
    const Bounded expected = reference(gauge, x, site);
    for (std::size_t s = 0; s < spins; ++s)
      for (std::size_t c = 0; c < colours; ++c)
        worst = worse(worst, error_of(part.image[static_cast<std::size_t>(i)][s][c], expected.value[s][c]) /
                                 (roundings * rounding * expected.terms[s][c]));
    ++sites;
  });
  return verdict(member, "serial reference", worst, sites, gauge);
}

bool is_gamma5_hermitian(Member& member, const Gauge& gauge) {
  Part& part = *member.part();
  const Gamma five = gamma5();
  // <D x, y>; then y becomes gamma_5 y.
  apply(member, part.x, part.image);
  Complex left;
  Complex right;
  double sizes[2] = {};
  double sites = 0;
  for_own_sites(member, [&](long i, const Site&) {
    const auto at = static_cast<std::size_t>(i);
    left = left + product(part.image[at], part.y[at]);
    sizes[0] += product(part.x[at], part.x[at]).re;
    sizes[1] += product(part.y[at], part.y[at]).re;
    part.y[at] = five * part.y[at];
    ++sites;
  });
  member.meet();
  apply(member, part.y, part.image);
  for_own_sites(member, [&](long i, const Site&) {
    const auto at = static_cast<std::size_t>(i);
    right = right + product(part.x[at], five * part.image[at]);
  });
  double values[6] = {left.re, left.im, right.re, right.im, sizes[0], sizes[1]};
  member.sum(values);
  // D has norm 16 at most (each of 8 hops 2), and its terms without their signs 16 sqrt(12), which counts sqrt(2) for
  // each number that they have instead of its absolute value. A product of fields adds 14 terms one after the other at
  // a site, and then sites and members, which together are no more than there are sites and one.
  const double terms = 2 * std::sqrt(2.0) * roundings * 16 * std::sqrt(12.0) +
                       2 * 2 * 16 * (static_cast<double>(volume(gauge.lattice.extent)) + 16);
  const double bound = rounding * terms * std::sqrt(values[4] * values[5]);
  const double error = error_of({values[0], values[1]}, {values[2], values[3]});
  return verdict(member, "gamma_5 hermiticity", worse(0, error / bound), sites, gauge);
}

bool has_plane_waves(Member& member, const Gauge& free_field) {
  Part& part = *member.part();
  const Lattice& lattice = free_field.lattice;
  const Site wave{1, 2, 0, 1};  // periods in each dimension; half of one more in time if that is antiperiodic
  std::array<double, dimensions> momentum{};
  Gamma slash{};  // gamma sin p
  double length = 0;
  double cosines = 0;
  for (int d = 0; d < dimensions; ++d) {
    const double half = d == time_dimension && lattice.antiperiodic ? 0.5 : 0.0;
    momentum[d] = 2 * std::numbers::pi * (wave[d] + half) / lattice.extent[d];
    for (std::size_t r = 0; r < spins; ++r)
      for (std::size_t c = 0; c < spins; ++c) slash[r][c] = slash[r][c] + std::sin(momentum[d]) * gamma(d)[r][c];
    length += std::sin(momentum[d]) * std::sin(momentum[d]);
    cosines += 2 * std::cos(momentum[d]);
  }
  length = std::sqrt(length);
  // slash^2 = length^2, so length + slash makes an eigenvector of any spinor.
  Spinor amplitude = random_spinor(free_field, 2, {});
  const Spinor turned = slash * amplitude;
  double largest = 0;
  for (std::size_t s = 0; s < spins; ++s) {
    for (std::size_t c = 0; c < colours; ++c) {
      amplitude[s][c] = length * amplitude[s][c] + turned[s][c];
      largest = std::max(largest, std::fabs(amplitude[s][c].re) + std::fabs(amplitude[s][c].im));
    }
  }
  const Complex eigenvalue{cosines, -2 * length};
  for_own_sites(member, [&](long i, const Site& site) {
    double phase = 0;
    for (int d = 0; d < dimensions; ++d) phase += momentum[d] * site[d];
    const Complex wave_here{std::cos(phase), std::sin(phase)};
    for (std::size_t s = 0; s < spins; ++s)
      for (std::size_t c = 0; c < colours; ++c) part.x[static_cast<std::size_t>(i)][s][c] = wave_here * amplitude[s][c];
  });
  member.meet();
  apply(member, part.x, part.image);
  // A phase of up to 2 pi (1 + 2 + 0 + 3/2) < 29, a sum of four products that are wrong by 4 roundings each, is wrong
  // by 203, and so is a wave: 2 x 204 with both of its parts. Its image sums 16 of those at most, and so does the
  // eigenvalue times it, which itself is wrong by less than 300. The kernel has its own roundings, of terms of 16. All
  // that is less than 2^14, and there is as much to spare.
  const double bound = 0x1p15 * rounding * largest;
  double worst = 0;
  double sites = 0;
  for_own_sites(member, [&](long i, const Site&) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t s = 0; s < spins; ++s)
      for (std::size_t c = 0; c < colours; ++c)
        worst = worse(worst, error_of(part.image[at][s][c], eigenvalue * part.x[at][s][c]) / bound);
    ++sites;
  });
  return verdict(member, "plane waves", worst, sites, free_field);
}

}  // namespace dslash
