// SPDX-License-Identifier: BSD-3-Clause
// A group that names endpoints. Its handle is a real group, of this process alone, and known by a table.
#pragma once

#include <mpi.h>

#include "endpoints/member.hpp"
#include "endpoints/object.hpp"

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

}  // namespace raddle::endpoints
