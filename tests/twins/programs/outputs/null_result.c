// SPDX-License-Identifier: BSD-3-Clause
// The null address for a result, where all handlers return. An MPI that does not look at it crashes: that is a row of its own.
// args: size | split | group-rank | group | union | dup | isend | rank
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group group;
  int code = MPI_SUCCESS, v = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  if (is_arg(argc, argv, "size")) code = MPI_Comm_size(MPI_COMM_WORLD, NULL);
  if (is_arg(argc, argv, "rank")) code = MPI_Comm_rank(MPI_COMM_WORLD, NULL);
  if (is_arg(argc, argv, "split")) code = MPI_Comm_split(MPI_COMM_WORLD, 0, 0, NULL);
  if (is_arg(argc, argv, "dup")) code = MPI_Comm_dup(MPI_COMM_WORLD, NULL);
  if (is_arg(argc, argv, "group-rank")) code = MPI_Group_rank(group, NULL);
  if (is_arg(argc, argv, "group")) code = MPI_Comm_group(MPI_COMM_WORLD, NULL);
  if (is_arg(argc, argv, "union")) code = MPI_Group_union(group, group, NULL);
  if (is_arg(argc, argv, "isend")) code = MPI_Isend(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, NULL);
  say("%s", outcome(code));
  MPI_Finalize();
  return 0;
}
