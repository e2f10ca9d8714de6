/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes ask the launcher or tables of the MPI at any time, ranks ask at any time as well. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, flag, size, sizes = 0, wrong = 0;
  void* universe;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
  for (int digits = 1; digits <= 14; ++digits) {
    MPI_Datatype type;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_create_f90_real(digits, MPI_UNDEFINED, &type);
    MPI_Type_size(type, &size);
    sizes += size;
  }
  for (int i = 0; i < 5; ++i) {
    char service[50], port[MPI_MAX_PORT_NAME], found[MPI_MAX_PORT_NAME];
    sprintf(service, "service-%d-%d", i, rank);
    sprintf(port, "port-%d-%d", i, rank);
    MPI_Publish_name(service, MPI_INFO_NULL, port);
    MPI_Lookup_name(service, MPI_INFO_NULL, found);
    wrong += strcmp(port, found) != 0;
    MPI_Unpublish_name(service, MPI_INFO_NULL, port);
  }
  printf("%d: %d bytes, %d wrong\n", rank, sizes, wrong);
  MPI_Finalize();
  return 0;
}
