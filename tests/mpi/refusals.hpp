// SPDX-License-Identifier: BSD-3-Clause
// Calls of every function that refuses endpoints; the table is generated (src/interpose/generator/refusals.py).
#pragma once

#include <vector>

#include "interpose/installed_mpi.h"

namespace raddle::interpose {

/// A handle of an endpoint of each kind.
struct Handles {
  MPI_Comm communicator;
  MPI_Request request;
  MPI_Message message;
  MPI_Win window;
  MPI_File file;
  MPI_Group group;
};

/// An argument that nobody should look at: zero, or a null pointer.
struct Nothing {
  template <typename Type>
  operator Type() const {  // NOLINT(google-explicit-constructor): it has to become whatever a prototype asks for
    return Type{};
  }
};

struct Refusal {
  const char* name;
  int (*call)(Handles& given);
};

/// One for each place of each function that takes a handle, under its MPI_ and its PMPI_ name.
const std::vector<Refusal>& refusals();

}  // namespace raddle::interpose
