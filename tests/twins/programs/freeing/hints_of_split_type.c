// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_split_type with hints: what MPI_Comm_get_info tells of them (MPI-4.1 7.4.2, 7.4.4).
// args: dup | split-type
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm made;
  MPI_Info hints, got;
  char value[64] = "";
  int flag = 0;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "mpi_assert_no_any_tag", "true");
  if (is_arg(argc, argv, "dup"))
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, hints, &made);
  else
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, hints, &made);
  MPI_Info_free(&hints);
  MPI_Comm_get_info(made, &got);
  MPI_Info_get(got, "mpi_assert_no_any_tag", 63, value, &flag);
  say("there %d: %s", flag, value);
  MPI_Info_free(&got);
  MPI_Comm_free(&made);
  MPI_Finalize();
  return 0;
}
