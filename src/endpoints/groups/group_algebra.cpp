// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/groups/group_algebra.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace raddle::endpoints {
namespace {

/// Which ranks are named. @returns whether each is one of the group and comes once
bool mark(std::span<const int> ranks, std::vector<bool>& named) {
  for (const int rank : ranks) {
    const auto at = static_cast<std::size_t>(rank);
    if (rank < 0 || at >= named.size() || named[at]) return false;
    named[at] = true;
  }
  return true;
}

}  // namespace

Ranks::Ranks(const Members& members) {
  sorted_.reserve(members.size());
  for (const Member& member : members) sorted_.emplace_back(member, static_cast<int>(sorted_.size()));
  std::ranges::sort(sorted_);
}

int Ranks::of(const Member& member) const {
  const auto found = std::ranges::lower_bound(sorted_, member, {}, &std::pair<Member, int>::first);
  return found != sorted_.end() && found->first == member ? found->second : none;
}

std::vector<int> ranks_among(const Members& all, const Members& some) {
  const Ranks known(all);
  std::vector<int> ranks;
  ranks.reserve(some.size());
  for (const Member& member : some) ranks.push_back(known.of(member));
  return ranks;
}

Likeness compare_groups(const Members& one, const Members& other) {
  if (one == other) return Likeness::identical;
  const auto sorted = [](Members members) {
    std::ranges::sort(members);
    return members;
  };
  return sorted(one) == sorted(other) ? Likeness::similar : Likeness::different;
}

Members group_union(const Members& first, const Members& second) {
  Members all = first;
  std::ranges::copy(group_difference(second, first), std::back_inserter(all));
  return all;
}

Members group_intersection(const Members& first, const Members& second) {
  Members both;
  std::ranges::copy_if(first, std::back_inserter(both),
                       [others = Ranks(second)](const Member& member) { return others.contain(member); });
  return both;
}

Members group_difference(const Members& first, const Members& second) {
  Members left;
  std::ranges::copy_if(first, std::back_inserter(left),
                       [others = Ranks(second)](const Member& member) { return !others.contain(member); });
  return left;
}

Flaw include(const Members& group, std::span<const int> ranks, Members& made) {
  std::vector<bool> named(group.size());
  if (!mark(ranks, named)) return Flaw::rank;
  made.clear();
  for (const int rank : ranks) made.push_back(group[static_cast<std::size_t>(rank)]);
  return Flaw::none;
}

Flaw exclude(const Members& group, std::span<const int> ranks, Members& made) {
  std::vector<bool> named(group.size());
  if (!mark(ranks, named)) return Flaw::rank;
  made.clear();
  for (std::size_t rank = 0; rank < group.size(); ++rank) {
    if (!named[rank]) made.push_back(group[rank]);
  }
  return Flaw::none;
}

Flaw expand(std::span<const RankRange> ranges, std::size_t size, std::vector<int>& ranks) {
  ranks.clear();
  for (const auto& [first, last, stride] : ranges) {
    if (stride == 0 || (stride > 0 ? first > last : first < last)) return Flaw::range;
    for (std::int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
      if (rank < 0 || rank >= static_cast<std::int64_t>(size)) return Flaw::rank;
      ranks.push_back(static_cast<int>(rank));
    }
  }
  return Flaw::none;
}

}  // namespace raddle::endpoints
