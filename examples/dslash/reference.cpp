// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/reference.hpp"

#include <cmath>

namespace dslash {
namespace {

constexpr Complex o{0, 0};
constexpr Complex p{1, 0};
constexpr Complex m{-1, 0};
constexpr Complex i{0, 1};
constexpr Complex j{0, -1};

using Row = std::array<Complex, spins>;
constexpr std::array<Gamma, dimensions> gammas{{
    {{Row{o, o, o, i}, Row{o, o, i, o}, Row{o, j, o, o}, Row{j, o, o, o}}},
    {{Row{o, o, o, p}, Row{o, o, m, o}, Row{o, m, o, o}, Row{p, o, o, o}}},
    {{Row{o, o, i, o}, Row{o, o, o, j}, Row{j, o, o, o}, Row{o, i, o, o}}},
    {{Row{o, o, p, o}, Row{o, o, o, p}, Row{p, o, o, o}, Row{o, p, o, o}}},
}};

double size(Complex a) { return std::fabs(a.re) + std::fabs(a.im); }

/// 1 + sign gamma
Gamma projector(int dimension, int sign) {
  Gamma result{};
  for (std::size_t a = 0; a < spins; ++a) {
    for (std::size_t b = 0; b < spins; ++b) {
      result[a][b] = static_cast<double>(sign) * gammas[dimension][a][b];
      if (a == b) result[a][b] = result[a][b] + p;
    }
  }
  return result;
}

Link adjoint(const Link& u) {
  Link result;
  for (std::size_t a = 0; a < colours; ++a)
    for (std::size_t b = 0; b < colours; ++b) result[a][b] = conj(u[b][a]);
  return result;
}

/// Adds spin matrix x colour matrix x spinor.
void add(Bounded& sum, const Gamma& spin, const Link& u, const Spinor& psi) {
  for (std::size_t s = 0; s < spins; ++s) {
    for (std::size_t c = 0; c < colours; ++c) {
      for (std::size_t t = 0; t < spins; ++t) {
        for (std::size_t d = 0; d < colours; ++d) {
          sum.value[s][c] = sum.value[s][c] + spin[s][t] * (u[c][d] * psi[t][d]);
          sum.terms[s][c] += size(spin[s][t]) * size(u[c][d]) * size(psi[t][d]);
        }
      }
    }
  }
}

}  // namespace

const Gamma& gamma(int dimension) { return gammas[dimension]; }

Gamma gamma5() { return gamma(0) * gamma(1) * gamma(2) * gamma(3); }

Gamma operator*(const Gamma& a, const Gamma& b) {
  Gamma result{};
  for (std::size_t r = 0; r < spins; ++r)
    for (std::size_t c = 0; c < spins; ++c)
      for (std::size_t k = 0; k < spins; ++k) result[r][c] = result[r][c] + a[r][k] * b[k][c];
  return result;
}

Spinor operator*(const Gamma& a, const Spinor& psi) {
  Spinor result{};
  for (std::size_t r = 0; r < spins; ++r)
    for (std::size_t k = 0; k < spins; ++k)
      for (std::size_t c = 0; c < colours; ++c) result[r][c] = result[r][c] + a[r][k] * psi[k][c];
  return result;
}

bool is_clifford() {
  double wrong = 0;
  for (int a = 0; a < dimensions; ++a) {
    for (int b = 0; b < dimensions; ++b) {
      const Gamma ab = gamma(a) * gamma(b);
      const Gamma ba = gamma(b) * gamma(a);
      for (std::size_t r = 0; r < spins; ++r) {
        for (std::size_t c = 0; c < spins; ++c) {
          const Complex expected{a == b && r == c ? 2.0 : 0.0, 0};
          wrong += size(ab[r][c] + ba[r][c] - expected) + size(gamma(a)[r][c] - conj(gamma(a)[c][r]));
        }
      }
    }
  }
  return wrong == 0;
}

Bounded reference(const Gauge& gauge, const std::function<Spinor(const Site&)>& psi, const Site& site) {
  Bounded sum{};
  for (int d = 0; d < dimensions; ++d) {
    const Site ahead = moved(site, d, +1, gauge.lattice.extent);
    const Site behind = moved(site, d, -1, gauge.lattice.extent);
    add(sum, projector(d, -1), link_at(gauge, site, d), psi(ahead));
    add(sum, projector(d, +1), adjoint(link_at(gauge, behind, d)), psi(behind));
  }
  return sum;
}

}  // namespace dslash
