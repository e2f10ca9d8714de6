// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/groups/group.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group_algebra.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

namespace {

/// Of so many processes, 1 or none. The MPI makes another one each time; of the empty one some count the uses.
int make_handle(int size, MPI_Group& handle) {
  const AsProcess process;
  MPI_Group world = MPI_GROUP_NULL;
  int rank = 0;
  platform::must("MPI_Comm_rank", PMPI_Comm_rank(MPI_COMM_WORLD, &rank));
  platform::must("MPI_Comm_group", PMPI_Comm_group(MPI_COMM_WORLD, &world));
  const int code = PMPI_Group_incl(world, size, &rank, &handle);
  platform::regardless(PMPI_Group_free(&world));
  return code;
}

}  // namespace

// No communicator is behind a group: its errors are raised where those are of all calls without one (MPI-4.1 9.3).
Group::Group(Members members, const Source& source)
    : Object{MPI_COMM_NULL}, members_(std::move(members)), source_(source), rank_(MPI_UNDEFINED) {
  const auto found = std::ranges::find(members_, source_.asker);
  if (found != members_.end()) rank_ = static_cast<int>(found - members_.begin());
}

MPI_Group Group::make(Members members, const Source& source) {
  MPI_Group handle = MPI_GROUP_NULL;
  if (const int code = make_handle(members.empty() ? 0 : 1, handle); code != MPI_SUCCESS) throw Failure(code);
  if (!members.empty()) insert<Kind::group>(handle, *new Group(std::move(members), source));
  return handle;
}

int Group::free(Group& group, MPI_Group& handle) {
  const std::unique_ptr<Group> ended(&group);
  erase<Kind::group>(handle);  // first, since the MPI may give the handle out again at once
  return PMPI_Group_free(&handle);
}

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
