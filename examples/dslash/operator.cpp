// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/operator.hpp"

#include <span>
#include <utility>

namespace dslash {
namespace {

std::span<const int> part(std::span<const int> sites, const Crew& crew) {
  const long first = crew.first_of(static_cast<long>(sites.size()));
  return sites.subspan(first, crew.last_of(static_cast<long>(sites.size())) - first);
}

}  // namespace

Operator::Operator(int rank, const Domain& domain, std::vector<Link> links, const std::vector<Directory>& directories)
    : domain_(domain), kernel_(domain, std::move(links)) {
  for (int d = 0; d < dimensions; ++d) {
    for (const End end : {lower, upper}) {
      out_[d][end].resize(kernel_.face(d, end).size());
      in_[d][end].resize(kernel_.face(d, end).size());
      beyond_[d][end] = in_[d][end].data();
    }
  }
  const int parts = static_cast<int>(directories.size());
  for (int part = 0; part < parts; ++part)
    halos_.emplace_back(rank, domain, out_, in_, directories[static_cast<std::size_t>(part)], part, parts);
}

void Operator::apply(const Spinor* in, Spinor* out, Crew& crew, Times& times) {
  Stopwatch watch(times);
  const auto index = static_cast<std::size_t>(crew.index());
  Halo* const halo = index < halos_.size() ? &halos_[index] : nullptr;
  const bool sends_for_others = static_cast<int>(halos_.size()) < crew.count();
  if (halo != nullptr) halo->post_receives();
  watch.charge(post);
  for (int d = 0; d < dimensions; ++d) {
    for (const End end : {lower, upper}) {
      const auto sites = static_cast<long>(out_[d][end].size());
      kernel_.pack(d, end, in, out_[d][end].data(), crew.first_of(sites), crew.last_of(sites));
    }
  }
  watch.charge(pack);
  if (sends_for_others) crew.meet();
  watch.charge(wait);
  if (halo != nullptr) halo->send();
  watch.charge(post);
  kernel_.apply_interior(in, out, part(kernel_.interior(), crew));
  watch.charge(interior);
  if (halo != nullptr) halo->finish();
  crew.meet();
  watch.charge(wait);
  kernel_.apply_boundary(in, beyond_, out, part(kernel_.boundary(), crew));
  watch.charge(boundary);
  crew.meet();
  watch.charge(wait);
}

}  // namespace dslash
