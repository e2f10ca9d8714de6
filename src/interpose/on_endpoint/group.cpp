// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/groups/group.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group_algebra.hpp"
#include "endpoints/handles/handles.hpp"
#include "interpose/on_endpoint.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Failure;
using endpoints::Flaw;
using endpoints::Members;
using endpoints::raise;

/// @throws Failure for MPI_GROUP_NULL
Members members_of(MPI_Group group) {
  if (group == MPI_GROUP_NULL) throw Failure(MPI_ERR_GROUP);
  const Group* const found = endpoints::find<endpoints::Kind::group>(group);
  return found != nullptr ? found->members() : endpoints::members_of_group(group);
}

/// A group out of another one. @returns an MPI error code, raised
template <typename Compute>
int make(const Group& from, MPI_Group* made, Compute&& compute) {
  try {
    *made = Group::make(compute(), from.source());
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    *made = MPI_GROUP_NULL;
    return raise(from.comm, failure);
  }
}

using Combine = Members (*)(const Members&, const Members&);
int combine(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made, Combine how) {
  return make(found, made, [&] { return how(members_of(one), members_of(other)); });
}

/// @throws Failure for ranks that a group has not got, and the like
void check(Flaw flaw) {
  if (flaw == Flaw::rank) throw Failure(MPI_ERR_RANK);
  if (flaw == Flaw::range) throw Failure(MPI_ERR_ARG);
}

/// @throws Failure
template <typename Element>
std::span<const Element> array_of(const Element* elements, int count) {
  if (count < 0 || (count > 0 && elements == nullptr)) throw Failure(MPI_ERR_ARG);
  return {elements, static_cast<std::size_t>(count)};
}

using Choose = Flaw (*)(const Members&, std::span<const int>, Members&);
int choose(const Group& group, int count, const int* ranks, MPI_Group* made, Choose how) {
  return make(group, made, [&] {
    Members chosen;
    check(how(group.members(), array_of(ranks, count), chosen));
    return chosen;
  });
}

int choose(const Group& group, int count, const int (*given)[3], MPI_Group* made, Choose how) {
  return make(group, made, [&] {
    std::vector<endpoints::RankRange> ranges;
    for (const auto& range : array_of(given, count)) ranges.push_back({range[0], range[1], range[2]});
    std::vector<int> ranks;
    Members chosen;
    check(endpoints::expand(ranges, group.members().size(), ranks));
    check(how(group.members(), ranks, chosen));
    return chosen;
  });
}

}  // namespace

int Group_compare(const Group& found, MPI_Group one, MPI_Group other, int* result) {
  try {
    const int likeness = endpoints::compare(members_of(one), members_of(other));
    *result = likeness == MPI_CONGRUENT ? MPI_IDENT : likeness;
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(found.comm, failure);
  }
}

int Group_union(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made) {
  return combine(found, one, other, made, endpoints::group_union);
}

int Group_intersection(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made) {
  return combine(found, one, other, made, endpoints::group_intersection);
}

int Group_difference(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made) {
  return combine(found, one, other, made, endpoints::group_difference);
}

int Group_incl(const Group& group, int count, const int* ranks, MPI_Group* made) {
  return choose(group, count, ranks, made, endpoints::include);
}

int Group_excl(const Group& group, int count, const int* ranks, MPI_Group* made) {
  return choose(group, count, ranks, made, endpoints::exclude);
}

int Group_range_incl(const Group& group, int count, const int (*ranges)[3], MPI_Group* made) {
  return choose(group, count, ranges, made, endpoints::include);
}

int Group_range_excl(const Group& group, int count, const int (*ranges)[3], MPI_Group* made) {
  return choose(group, count, ranges, made, endpoints::exclude);
}

int Group_free(Group& found, MPI_Group* group) { return Group::free(found, *group); }

int Group_rank(const Group& group, int* rank) {
  *rank = group.rank();
  return MPI_SUCCESS;
}

int Group_size(const Group& group, int* size) {
  *size = group.size();
  return MPI_SUCCESS;
}

int Group_translate_ranks(const Group& found, MPI_Group of, int count, const int* ranks, MPI_Group in,
                          int* translated) {
  try {
    const Members from = members_of(of);
    const endpoints::Ranks there(members_of(in));
    for (const int rank : array_of(ranks, count)) {
      if (rank == MPI_PROC_NULL) {
        *translated++ = MPI_PROC_NULL;
        continue;
      }
      if (rank < 0 || static_cast<std::size_t>(rank) >= from.size()) throw Failure(MPI_ERR_RANK);
      const int known = there.of(from[static_cast<std::size_t>(rank)]);
      *translated++ = known == endpoints::Ranks::none ? MPI_UNDEFINED : known;
    }
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(found.comm, failure);
  }
}

}  // namespace raddle::interpose::on_endpoint
