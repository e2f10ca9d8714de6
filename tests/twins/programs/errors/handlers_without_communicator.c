// SPDX-License-Identifier: BSD-3-Clause
// Whose error handler hears of an error of a call without a communicator (MPI-4.1 9.3) where MPI_COMM_WORLD and MPI_COMM_SELF have
// different ones, or only one of them was set. Where that is the default one, the job ends.
// args: world | self | both | world_and_fatal | fatal_and_self | return_and_fatal
// status: nonzero: each launcher has its own number for a job that was aborted
#include "../twin.h"

static void heard(const char* whose, MPI_Comm comm) {
  say("the handler of %s: %s", whose,
      comm == MPI_COMM_WORLD  ? "MPI_COMM_WORLD"
      : comm == MPI_COMM_SELF ? "MPI_COMM_SELF"
                              : "other");
}

static void of_world(MPI_Comm* comm, int* code, ...) { heard("MPI_COMM_WORLD", *comm); }
static void of_self(MPI_Comm* comm, int* code, ...) { heard("MPI_COMM_SELF", *comm); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler world = MPI_ERRHANDLER_NULL, self = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(of_world, &world);
  MPI_Comm_create_errhandler(of_self, &self);
  const int both = is_arg(argc, argv, "both");
  if (both || is_arg(argc, argv, "world") || is_arg(argc, argv, "world_and_fatal"))
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, world);
  if (both || is_arg(argc, argv, "self") || is_arg(argc, argv, "fatal_and_self"))
    MPI_Comm_set_errhandler(MPI_COMM_SELF, self);
  if (is_arg(argc, argv, "return_and_fatal")) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (is_arg(argc, argv, "fatal_and_self")) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (is_arg(argc, argv, "world_and_fatal") || is_arg(argc, argv, "return_and_fatal"))
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  settle();
  int size;
  MPI_Group group;
  MPI_Type_size(MPI_DATATYPE_NULL, &size);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_size(MPI_GROUP_NULL, &size);
  const int far = 99;
  MPI_Group other;
  MPI_Group_incl(group, 1, &far, &other);
  MPI_Group_size(group, NULL);
  say("done");
  MPI_Group_free(&group);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&world);
  MPI_Errhandler_free(&self);
  MPI_Finalize();
  return 0;
}
