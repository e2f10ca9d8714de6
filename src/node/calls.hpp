// SPDX-License-Identifier: BSD-3-Clause
// The functions of MPI by which the processes of a node find each other, and what becomes of their errors: it depends
// on whom a communicator is of.
#pragma once

#include <mpi.h>

namespace raddle::node {

struct Calls {
  int (*comm_split_type)(MPI_Comm, int, int, MPI_Info, MPI_Comm*);
  int (*comm_split)(MPI_Comm, int, int, MPI_Comm*);
  int (*comm_set_errhandler)(MPI_Comm, MPI_Errhandler);
  int (*comm_rank)(MPI_Comm, int*);
  int (*comm_size)(MPI_Comm, int*);
  int (*comm_free)(MPI_Comm*);
  int (*allgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
  int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*barrier)(MPI_Comm);
  int (*bcast)(void*, int, MPI_Datatype, int, MPI_Comm);
  /// Does not return if a function that moves data has failed. @param call  its name
  void (*expect)(const char* call, int code);
};

/// Ranks are processes: the MPI's own functions. An error ends the job.
extern const Calls of_processes;
/// Ranks may be endpoints: the functions that programs call. An error is thrown (platform::Failure).
extern const Calls of_ranks;

}  // namespace raddle::node
