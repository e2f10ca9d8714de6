// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/kernel.hpp"

#include <algorithm>
#include <utility>

#include "dslash/spin.hpp"

namespace dslash {
namespace {

template <int dimension>
HalfSpinor going_down(const Spinor& psi) {
  return projected<dimension, -1>(psi);
}

template <int dimension>
HalfSpinor going_up(const Link& link, const Spinor& psi) {
  const HalfSpinor half = projected<dimension, +1>(psi);
  return {transported_back(link, half[0]), transported_back(link, half[1])};
}

template <int dimension>
void pack_face(End end, const std::vector<Link>& links, std::span<const int> sites, const Spinor* in, HalfSpinor* out) {
  for (const int site : sites)
    *out++ = end == lower
                 ? going_down<dimension>(in[site])
                 : going_up<dimension>(links[dimensions * static_cast<std::size_t>(site) + dimension], in[site]);
}

}  // namespace

Kernel::Kernel(const Domain& domain, std::vector<Link> links) : links_(std::move(links)) { list_neighbours(domain); }

void Kernel::list_neighbours(const Domain& domain) {
  const Site& extent = domain.extent;
  for (int number = 0; number < volume(extent); ++number) {
    const Site site = site_of(number, extent);
    auto& ends = neighbours_.emplace_back();
    bool alone = true;
    for (int d = 0; d < dimensions; ++d) {
      for (const End end : {lower, upper}) {
        ends[d][end] = static_cast<std::int32_t>(number_of(moved(site, d, end == upper ? 1 : -1, extent), extent));
        if (!domain.cut[d] || site[d] != (end == upper ? extent[d] - 1 : 0)) continue;
        // Faces list their sites in one order, so the site across has the same place in its face as this one in ours.
        ends[d][end] = ~static_cast<std::int32_t>(faces_[d][end].size());
        faces_[d][end].push_back(number);
        alone = false;
      }
    }
    (alone ? interior_ : boundary_).push_back(number);
  }
}

void Kernel::pack(int dimension, End face_end, const Spinor* in, HalfSpinor* out, long begin, long end) const {
  const auto sites = face(dimension, face_end).subspan(begin, end - begin);
  constexpr std::array each{pack_face<0>, pack_face<1>, pack_face<2>, pack_face<3>};
  each[dimension](face_end, links_, sites, in, out + begin);
}

template <int dimension, bool has_faces>
inline void Kernel::hop(long site, const Spinor* in, const Faces& beyond, Spinor& sum) const {
  const auto [below, above] = neighbours_[site][dimension];
  const HalfSpinor ahead = has_faces && above < 0 ? beyond[dimension][upper][~above] : going_down<dimension>(in[above]);
  const Link& link = links_[dimensions * site + dimension];
  add_reconstructed<dimension, -1>(sum, {transported(link, ahead[0]), transported(link, ahead[1])});
  add_reconstructed<dimension, +1>(sum, has_faces && below < 0
                                            ? beyond[dimension][lower][~below]
                                            : going_up<dimension>(links_[dimensions * below + dimension], in[below]));
}

template <bool has_faces>
void Kernel::apply(const Spinor* in, const Faces& beyond, Spinor* out, std::span<const int> sites) const {
  for (const int site : sites) {
    Spinor sum{};
    hop<0, has_faces>(site, in, beyond, sum);
    hop<1, has_faces>(site, in, beyond, sum);
    hop<2, has_faces>(site, in, beyond, sum);
    hop<3, has_faces>(site, in, beyond, sum);
    out[site] = sum;
  }
}

void Kernel::apply_interior(const Spinor* in, Spinor* out, std::span<const int> sites) const {
  apply<false>(in, {}, out, sites);
}

void Kernel::apply_boundary(const Spinor* in, const Faces& beyond, Spinor* out, std::span<const int> sites) const {
  apply<true>(in, beyond, out, sites);
}

}  // namespace dslash
