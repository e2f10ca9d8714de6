// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/members.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "endpoints/errors.hpp"
#include "endpoints/group_algebra.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// All processes that this one knows of: their ranks here are their numbers. Only grows, at its end.
struct KnownProcesses {
  std::mutex guard;
  MPI_Group group = MPI_GROUP_NULL;
};

KnownProcesses& known_processes() {
  static auto& all = *new KnownProcesses;
  return all;
}

std::vector<int> numbers_of(MPI_Group group) {
  int size = 0;
  check(PMPI_Group_size(group, &size));  // it may be the program's, and none
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> numbers(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  KnownProcesses& all = known_processes();
  const std::lock_guard lock(all.guard);
  const AsProcess process;
  if (all.group == MPI_GROUP_NULL) check(PMPI_Comm_group(MPI_COMM_WORLD, &all.group));
  const auto look_up = [&] {
    if (size > 0) check(PMPI_Group_translate_ranks(group, size, ranks.data(), all.group, numbers.data()));
  };
  look_up();
  if (std::ranges::find(numbers, MPI_UNDEFINED) != numbers.end()) {
    MPI_Group more = MPI_GROUP_NULL;
    check(PMPI_Group_union(all.group, group, &more));
    platform::regardless(PMPI_Group_free(&all.group));
    all.group = more;
    look_up();
  }
  return numbers;
}

}  // namespace

void forget_processes() {
  KnownProcesses& all = known_processes();
  const std::lock_guard lock(all.guard);
  if (all.group != MPI_GROUP_NULL) platform::regardless(PMPI_Group_free(&all.group));
}

Members members_of_group(MPI_Group group) {
  Members members;
  for (const int number : numbers_of(group)) members.push_back({number, 0});
  return members;
}

Members members_of(MPI_Comm comm, const std::vector<int>& counts) {
  Members members;
  std::size_t rank = 0;
  for (const Member& process : members_of(comm)) {
    for (int index = 0; index < counts[rank]; ++index) members.push_back({process.process, index});
    ++rank;
  }
  return members;
}

Members members_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  check(PMPI_Comm_group(comm, &group));
  Members members = members_of_group(group);
  platform::regardless(PMPI_Group_free(&group));
  return members;
}

int compare(const Members& one, const Members& other) {
  switch (compare_groups(one, other)) {
    case Likeness::identical:
      return MPI_CONGRUENT;
    case Likeness::similar:
      return MPI_SIMILAR;
    case Likeness::different:
      break;
  }
  return MPI_UNEQUAL;
}

}  // namespace raddle::endpoints
