// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/group.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/handles.hpp"
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
Group::Group(Members members, const Member& asker)
    : Object{without_communicator()}, members_(std::move(members)), asker_(asker), rank_(MPI_UNDEFINED) {
  const auto found = std::ranges::find(members_, asker_);
  if (found != members_.end()) rank_ = static_cast<int>(found - members_.begin());
}

MPI_Group Group::make(Members members, const Member& asker) {
  MPI_Group handle = MPI_GROUP_NULL;
  if (const int code = make_handle(members.empty() ? 0 : 1, handle); code != MPI_SUCCESS) throw Failure(code);
  if (!members.empty()) insert<Kind::group>(handle, *new Group(std::move(members), asker));
  return handle;
}

int Group::free(Group& group, MPI_Group& handle) {
  const std::unique_ptr<Group> ended(&group);
  erase<Kind::group>(handle);  // first, since the MPI may give the handle out again at once
  return PMPI_Group_free(&handle);
}

}  // namespace raddle::endpoints
