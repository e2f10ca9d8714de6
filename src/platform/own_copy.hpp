// SPDX-License-Identifier: BSD-3-Clause
// Communicators of Raddle's own, for what it does on a communicator of the program's.
#pragma once

#include <mpi.h>

#include "platform/must.hpp"

namespace raddle::platform {

// Raddle makes communicators for itself by the names that programs use, since they may be of endpoints. What is done
// with those that programs make is not done with these.

/// While one lives, the calling thread makes communicators for Raddle.
class MakingOwn {
 public:
  MakingOwn() noexcept { ++depth_; }
  MakingOwn(const MakingOwn&) = delete;
  MakingOwn& operator=(const MakingOwn&) = delete;
  ~MakingOwn() { --depth_; }

  [[nodiscard]] static bool now() noexcept { return depth_ != 0; }

 private:
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local int depth_ = 0;
};

/// Collective: one with the same processes and hints, on which errors are returned. Unlike a duplicate it has no
/// attributes, so that no function of the program is called.
/// @param code  of what has failed, raised on `comm` @returns MPI_COMM_NULL then
inline MPI_Comm own_copy(MPI_Comm comm, int& code) {
  const MakingOwn own;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  code = PMPI_Comm_group(comm, &group);
  if (code != MPI_SUCCESS || group == MPI_GROUP_NULL) return MPI_COMM_NULL;
  code = PMPI_Comm_create(comm, group, &made);
  regardless(MPI_Group_free(&group));
  if (code != MPI_SUCCESS || made == MPI_COMM_NULL) return MPI_COMM_NULL;
  must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  MPI_Info hints = MPI_INFO_NULL;
  if (MPI_Comm_get_info(comm, &hints) == MPI_SUCCESS && hints != MPI_INFO_NULL) {
    regardless(MPI_Comm_set_info(made, hints));
    regardless(MPI_Info_free(&hints));
  }
  return made;
}

}  // namespace raddle::platform
