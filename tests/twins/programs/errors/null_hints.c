// SPDX-License-Identifier: BSD-3-Clause
// Hints or an error handler that are null, for a communicator or a window that is there: an error, which is raised
// (MPI-4.1 9.3, 10). An MPI may do so on the communicator or on MPI_COMM_SELF.
// args: | windows
#include "../twin.h"

static int heard_here;

static void heard(MPI_Comm* comm, int* code, ...) { ++heard_here; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Win window;
  int value = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(heard, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, comm, &window);
  MPI_Comm_set_info(comm, MPI_INFO_NULL);
  say("hints of a communicator: heard %d", heard_here);
  MPI_Comm_set_errhandler(comm, MPI_ERRHANDLER_NULL);
  say("its handler: heard %d", heard_here);
  if (argc > 1 && rank_of(MPI_COMM_WORLD) == 0) {  // some MPIs end the job here
    MPI_Win_set_info(window, MPI_INFO_NULL);
    say("hints of a window: heard %d", heard_here);
    MPI_Win_set_errhandler(window, MPI_ERRHANDLER_NULL);
    say("its handler: heard %d", heard_here);
  }
  MPI_Win_free(&window);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
