// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/layout_committed.hpp"

#include "endpoints/rank.hpp"

namespace raddle::endpoints {
namespace {

/// Where errors are returned, which the user's own communicators need not do. Not a duplicate of MPI_COMM_SELF: that
/// would copy the user's attributes.
MPI_Comm own_comm = MPI_COMM_NULL;

int free_own_comm(MPI_Comm, int, void*, void*) { return PMPI_Comm_free(&own_comm); }

void make_own_comm() {
  const AsProcess process;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_SELF, &group);
  PMPI_Comm_create_group(MPI_COMM_SELF, group, 0, &own_comm);
  PMPI_Group_free(&group);
  PMPI_Comm_set_errhandler(own_comm, MPI_ERRORS_RETURN);
  int at_end = MPI_KEYVAL_INVALID;  // attributes of MPI_COMM_SELF are the first to go in MPI_Finalize
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_own_comm, &at_end, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, at_end, nullptr);
  PMPI_Comm_free_keyval(&at_end);
}

}  // namespace

bool committed(MPI_Datatype type) {
  if (own_comm == MPI_COMM_NULL) make_own_comm();
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, own_comm) == MPI_SUCCESS;
}

}  // namespace raddle::endpoints
