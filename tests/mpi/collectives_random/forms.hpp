// SPDX-License-Identifier: BSD-3-Clause
// All functions that begin a collective operation, in one table.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "kind.hpp"

namespace raddle::collectives {

/// Counts and displacements as one form of the functions takes them.
template <typename Count, typename Displacement>
struct Numbers {
  std::vector<Count> send_counts{0};
  std::vector<Count> recv_counts{0};
  std::vector<Displacement> send_at;
  std::vector<Displacement> recv_at;
};

struct Arguments {
  const void* send = nullptr;
  void* recv = nullptr;
  Numbers<int, int> small;
  Numbers<MPI_Count, MPI_Aint> large;
  std::vector<MPI_Datatype> send_types{MPI_DATATYPE_NULL};
  std::vector<MPI_Datatype> recv_types{MPI_DATATYPE_NULL};
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

struct Form {
  const char* name;
  int (*call)(const Arguments&, MPI_Request*);  ///< nullptr: not declared by this mpi.h
};

const Form& form(Kind kind, Mode mode, bool large);

}  // namespace raddle::collectives
