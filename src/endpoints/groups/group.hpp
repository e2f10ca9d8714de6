// SPDX-License-Identifier: BSD-3-Clause
// A group that names endpoints. Its handle is a real group, of this process alone, and known by a table.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/groups/group_algebra.hpp"

namespace raddle::endpoints {

namespace buffered {
class Account;
}

/// Whence a group has been got, and with it all that have been made of it: of several groups the first says.
struct Source {
  Member asker;              ///< whose rank MPI_Group_rank tells: an endpoint, or that of the session's rank
  std::uint64_t origin = 0;  ///< Communicator::name() of what the endpoint descends from
  std::shared_ptr<buffered::Account> buffer{};  ///< of the session, if it is one
};

class Group : public Object {
 public:
  /// A new handle; MPI_GROUP_EMPTY for a group of nobody.
  /// @throws Failure
  static MPI_Group make(Members members, const Source& source);

  /// Frees the handle, and this. @returns an MPI error code, not raised
  static int free(Group& group, MPI_Group& handle);

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] int size() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] const Source& source() const { return source_; }
  /// Of the asker; MPI_UNDEFINED.
  [[nodiscard]] int rank() const { return rank_; }

 private:
  Group(Members members, const Source& source);

  Members members_;
  Source source_;
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
