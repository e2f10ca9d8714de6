// SPDX-License-Identifier: BSD-3-Clause
// Send and receive buffer are the same without MPI_IN_PLACE, which is erroneous (MPI-4.1 6.2): what an MPI says, it says on ranks.
// args: allreduce | reduce | alltoall | scan
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int v[8] = {1, 1, 1, 1, 1, 1, 1, 1}, code = MPI_SUCCESS;
  if (is_arg(argc, argv, "allreduce")) code = MPI_Allreduce(v, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (is_arg(argc, argv, "reduce") && rank_of(MPI_COMM_WORLD) == 0)
    code = MPI_Reduce(v, v, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF);
  if (is_arg(argc, argv, "alltoall")) code = MPI_Alltoall(v, 1, MPI_INT, v, 1, MPI_INT, MPI_COMM_WORLD);
  if (is_arg(argc, argv, "scan")) code = MPI_Scan(v, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("%s", outcome(code));
  MPI_Finalize();
  return 0;
}
