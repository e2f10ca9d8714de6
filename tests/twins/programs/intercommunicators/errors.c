// SPDX-License-Identifier: BSD-3-Clause
// What an intercommunicator does not take, as classes of errors that are returned: ranks and roots that the remote group has
// not (MPI-4.1 3.2.3, 6.2.2).
// ranks: 4
#include "groups.h"

static void tell(const char* what, int code, int expected) {
  say("%s: %s", what, class_of(code) == expected ? "as the standard says" : code == MPI_SUCCESS ? "none" : "another");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm inter = between(unequal);
  const int remote = remote_size_of(inter);
  int one = 1;
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  tell("a rank of none", MPI_Send(&one, 1, MPI_INT, remote, 0, inter), MPI_ERR_RANK);
  tell("a source of none", MPI_Recv(&one, 1, MPI_INT, remote, 0, inter, MPI_STATUS_IGNORE), MPI_ERR_RANK);
  tell("a root of none", MPI_Bcast(&one, 1, MPI_INT, remote, inter), MPI_ERR_ROOT);
  MPI_Barrier(MPI_COMM_WORLD);
  say("works still: %d", remote_size_of(inter));
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
