// SPDX-License-Identifier: BSD-3-Clause
// Each rank registers a representation of data once; the second time is an error (MPI-4.1 14.5.3).
#include "file.h"

static int extent_of(MPI_Datatype type, MPI_Aint* extent, void* state) {
  (void)state;
  MPI_Aint begin;
  return MPI_Type_get_extent(type, &begin, extent);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // where errors without an object are raised: there,
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);   // or here
  for (int i = 0; i < 2; ++i) {
    const int code = MPI_Register_datarep("twin", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, NULL);
    say("%d: %s", i, code == MPI_SUCCESS ? "registered" : class_of(code) == MPI_ERR_DUP_DATAREP ? "twice" : "another");
  }
  MPI_Finalize();
  return 0;
}
