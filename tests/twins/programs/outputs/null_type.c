// SPDX-License-Identifier: BSD-3-Clause
// MPI_DATATYPE_NULL with count 0: an error or not, as the MPI has it.
#include "../twin.h"

#define TRY(call) say("%s: class %d", #call, class_of(call))

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int v = 0;
  TRY(MPI_Send(&v, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  TRY(MPI_Recv(&v, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  TRY(MPI_Bcast(&v, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
  MPI_Finalize();
  return 0;
}
