// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/fields.hpp"

#include <cmath>
#include <numbers>

namespace dslash {
namespace {

/// Random numbers that are a function of what they are for (splitmix64's finaliser over a counter).
class Random {
 public:
  Random(std::uint64_t seed, int stream, long site)
      : state_(mixed(mixed(mixed(seed) + static_cast<std::uint64_t>(stream)) + static_cast<std::uint64_t>(site))) {}

  /// Real and imaginary part with normal distribution (Box and Muller).
  Complex normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }
  Colour normal_colour() {
    Colour result;
    for (Complex& each : result) each = normal();
    return result;
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }
  /// In [0, 1).
  double uniform() {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<double>(mixed(state_) >> 11U) * 0x1p-53;
  }

  std::uint64_t state_;
};

constexpr int links_stream = -dimensions;  // spinors have those from 0 on

Complex product(const Colour& a, const Colour& b) { return conj(a[0]) * b[0] + conj(a[1]) * b[1] + conj(a[2]) * b[2]; }

Colour scaled(double factor, const Colour& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

Colour unit(const Colour& a) { return scaled(1 / std::sqrt(product(a, a).re), a); }

/// Two orthonormal rows, and the third that makes the determinant 1.
Link random_link(Random random) {
  const Colour first = unit(random.normal_colour());
  const Colour other = random.normal_colour();
  const Complex along = product(first, other);
  const Colour second = unit(other - Colour{along * first[0], along * first[1], along * first[2]});
  Colour third;
  for (std::size_t c = 0; c < colours; ++c) {
    const std::size_t a = (c + 1) % colours;
    const std::size_t b = (c + 2) % colours;
    third[c] = conj(first[a] * second[b] - first[b] * second[a]);
  }
  return {first, second, third};
}

constexpr Link one{{{{{1, 0}, {}, {}}}, {{{}, {1, 0}, {}}}, {{{}, {}, {1, 0}}}}};

}  // namespace

Link link_at(const Gauge& gauge, const Site& site, int dimension) {
  const Site& extent = gauge.lattice.extent;
  Link link = gauge.free ? one : random_link(Random(gauge.seed, links_stream + dimension, number_of(site, extent)));
  const bool wraps = dimension == time_dimension && site[dimension] == extent[dimension] - 1;
  if (wraps && gauge.lattice.antiperiodic) {
    for (Colour& row : link) row = scaled(-1, row);
  }
  return link;
}

Spinor random_spinor(const Gauge& gauge, int stream, const Site& site) {
  Random random(gauge.seed, stream, number_of(site, gauge.lattice.extent));
  Spinor result;
  for (Colour& each : result) each = random.normal_colour();
  return result;
}

std::vector<Link> links_of(const Gauge& gauge, const Domain& domain) {
  std::vector<Link> links;
  for (long i = 0; i < volume(domain.extent); ++i) {
    const Site site = global(domain, site_of(i, domain.extent));
    for (int d = 0; d < dimensions; ++d) links.push_back(link_at(gauge, site, d));
  }
  return links;
}

std::vector<Spinor> random_spinors(const Gauge& gauge, int stream, const Domain& domain) {
  std::vector<Spinor> spinors;
  for (long i = 0; i < volume(domain.extent); ++i)
    spinors.push_back(random_spinor(gauge, stream, global(domain, site_of(i, domain.extent))));
  return spinors;
}

Site global(const Domain& domain, const Site& site) {
  Site result{};
  for (int d = 0; d < dimensions; ++d) result[d] = domain.origin[d] + site[d];
  return result;
}

}  // namespace dslash
