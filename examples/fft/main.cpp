// SPDX-License-Identifier: BSD-3-Clause
// A three-dimensional FFT on many ranks: planes of the grid are dealt to parts, each part transforms its own (FFTW), an
// all-to-all transposes the grid, and the last dimension follows. The same code in four versions:
//
//     mpiexec -n 4 ./fft process               parts are processes, MPI_COMM_WORLD
//     mpiexec -n 2 ./fft master --threads 2    parts are processes; OpenMP computes, the master communicates for all
//     mpiexec -n 2 ./fft thread --threads 2    parts are threads that send messages on MPI_COMM_WORLD
//     mpiexec -n 2 ./fft endpoint --threads 2  parts are threads with an endpoint each, which call MPI_Alltoallv
//
// Every run is checked against FFTW on the whole grid; the exit status is 1 when it is wrong.
#include <mpi.h>

#include <cstdio>

#include "options.hpp"
#include "run.hpp"

int main(int argc, char** argv) {
  using fft::Version;
  const auto options = fft::options_from(argc, argv);
  // A program whose master alone communicates is content with less than one all of whose threads do.
  const Version version = options ? options->version : Version::process;
  const int wanted = version == Version::process  ? MPI_THREAD_SINGLE
                     : version == Version::master ? MPI_THREAD_FUNNELED
                                                  : MPI_THREAD_MULTIPLE;
  int provided = MPI_THREAD_SINGLE;
  int rank = 0;
  int status = 2;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!options) {
    if (rank == 0) std::fputs(fft::usage(), stderr);
  } else if (provided < wanted) {
    if (rank == 0) std::fputs("fft: this MPI does not provide the thread level that this version needs\n", stderr);
  } else {
    status = fft::run(*options) ? 0 : 1;
  }
  MPI_Finalize();
  return status;
}
