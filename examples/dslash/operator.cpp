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

Operator::Operator(int rank, const Domain& domain, std::vector<Link> links, const Directory& directory)
    : domain_(domain), kernel_(domain, std::move(links)), halo_(rank, domain, kernel_, directory) {}

void Operator::apply(const Spinor* in, Spinor* out, Crew& crew, Times& times) {
  Stopwatch watch(times);
  if (crew.leads()) halo_.post_receives();
  watch.charge(post);
  for (int d = 0; d < dimensions; ++d) {
    for (const End end : {lower, upper}) {
      const auto sites = static_cast<long>(kernel_.face(d, end).size());
      if (sites > 0) kernel_.pack(d, end, in, halo_.outgoing(d, end), crew.first_of(sites), crew.last_of(sites));
    }
  }
  watch.charge(pack);
  crew.meet();
  watch.charge(wait);
  if (crew.leads()) halo_.send();
  watch.charge(post);
  kernel_.apply_interior(in, out, part(kernel_.interior(), crew));
  watch.charge(interior);
  if (crew.leads()) halo_.finish();
  crew.meet();
  watch.charge(wait);
  kernel_.apply_boundary(in, halo_.beyond(), out, part(kernel_.boundary(), crew));
  watch.charge(boundary);
  crew.meet();
  watch.charge(wait);
}

}  // namespace dslash
