// SPDX-License-Identifier: BSD-3-Clause
// MPI_COMM_DUP_FN, MPI_COMM_NULL_COPY_FN, and an attribute whose keyval is freed first (MPI-4.1 7.7.2).
#include "../twin.h"

int main(int argc, char** argv) {
  static int value = 9;
  MPI_Init(&argc, &argv);
  int keep, drop, flag;
  int* got;
  MPI_Comm made, again;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keep, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &drop, NULL);
  const int kept = keep;
  MPI_Comm_set_attr(MPI_COMM_WORLD, keep, &value);
  MPI_Comm_set_attr(MPI_COMM_WORLD, drop, &value);
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  MPI_Comm_get_attr(made, keep, &got, &flag);
  say("kept %d, %d", flag, flag ? *got : -1);
  MPI_Comm_get_attr(made, drop, &got, &flag);
  say("dropped %d", flag);
  MPI_Comm_free_keyval(&keep);
  say("keyval invalid: %d", keep == MPI_KEYVAL_INVALID);
  MPI_Comm_dup(made, &again);
  MPI_Comm_get_attr(again, kept, &got, &flag);
  say("kept by a duplicate after its keyval was freed: %d", flag);
  MPI_Comm_free(&again);
  MPI_Comm_free(&made);
  MPI_Comm_free_keyval(&drop);
  MPI_Finalize();
  return 0;
}
