// A program that is not there ends the job, where the MPI says so.
// ranks: 2
// status: nonzero: a code of an error that each MPI has its own way to hand on
// except: mpich/*: it waits for ever
// except: intel/*: MPI_Comm_spawn ends the job with a crash (docs/evidence/mpi-notes.md)
#include "../twin.h"

int main(int argc, char** argv) {
  MPI_Comm made;
  MPI_Init(&argc, &argv);
  MPI_Comm_spawn("/no/such/program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
  say("past");
  MPI_Finalize();
  return 0;
}
