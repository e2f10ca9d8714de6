// SPDX-License-Identifier: BSD-3-Clause
// A group that names endpoints. Its handle is a real group, of this process alone, and known by a table.
#pragma once

#include <mpi.h>

#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group_algebra.hpp"

namespace raddle::endpoints {

class Group : public Object {
 public:
  /// A new handle; MPI_GROUP_EMPTY for a group of nobody.
  /// @param asker whose rank MPI_Group_rank tells: the endpoint from which the group has been got, whatever has been
  ///   made of it since
  /// @throws Failure
  static MPI_Group make(Members members, const Member& asker);

  /// Frees the handle, and this. @returns an MPI error code, not raised
  static int free(Group& group, MPI_Group& handle);

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] int size() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] const Member& asker() const { return asker_; }
  /// Of the asker; MPI_UNDEFINED.
  [[nodiscard]] int rank() const { return rank_; }

 private:
  Group(Members members, const Member& asker);

  Members members_;
  Member asker_;
  int rank_;
};

// Who the ranks of communicators and groups without endpoints are, so that they can be compared and combined with those
// that have some. A process stands for its first endpoint.

/// In the order of ranks, `counts[process]` members for each process of `comm`.
Members members_of(MPI_Comm comm, const std::vector<int>& counts);

// The processes themselves. Those of MPI_COMM_WORLD have their numbers there, all others the next ones, in the order in
// which this process learns of them: so numbers mean nothing to other processes.
Members members_of(MPI_Comm comm);
Members members_of_group(MPI_Group group);

/// Before the MPI ends.
void forget_processes();

/// MPI_CONGRUENT, MPI_SIMILAR or MPI_UNEQUAL (MPI-4.1 section 7.4.1), for different communicators.
int compare(const Members& one, const Members& other);

}  // namespace raddle::endpoints
