// SPDX-License-Identifier: BSD-3-Clause
// MPI_Cancel of generalized requests, before and after they are complete (MPI-4.1 13.2).
#include "grequests.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  State early = {1, MPI_SUCCESS, 0, 0}, late = {2, MPI_SUCCESS, 0, 0};
  MPI_Request first = started(&early), second = started(&late);
  MPI_Status status;
  MPI_Cancel(&first);
  MPI_Grequest_complete(first);
  MPI_Wait(&first, &status);
  tell("cancelled first", &status);
  MPI_Grequest_complete(second);
  MPI_Cancel(&second);
  MPI_Wait(&second, &status);
  tell("complete first", &status);
  MPI_Finalize();
  return 0;
}
