// A root that is none is an error, and a process that nobody has started has no parents (MPI-4.1 11.8).
// ranks: 2
// except: intel/*: MPI_Comm_spawn ends the job with a crash (docs/evidence/mpi-notes.md)
#include "../twin.h"

static const char* told(int code) {
  switch (class_of(code)) {
    case MPI_SUCCESS:
      return "success";
    case MPI_ERR_ROOT:
    case MPI_ERR_ARG:
    case MPI_ERR_COMM:
      return "root, argument or communicator";
    default:
      return "another";
  }
}

int main(int argc, char** argv) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  say("root %s",
      told(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 17, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE)));
  MPI_Comm parent = MPI_COMM_SELF;
  MPI_Comm_get_parent(&parent);
  say("parent null %d", parent == MPI_COMM_NULL);
  MPI_Finalize();
  return 0;
}
