// SPDX-License-Identifier: BSD-3-Clause
// Calls of every function that refuses endpoints, and of every other one without the address of a result; the tables
// are generated (src/interpose/generator/refusals.py).
#pragma once

#include <cstddef>
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
#ifdef MPI_SESSION_NULL
  MPI_Session session = MPI_SESSION_NULL;  ///< of a rank
#endif
};

/// An argument that nobody should look at: zero, or a null pointer.
struct Nothing {
  template <typename Type>
  operator Type() const {  // NOLINT(google-explicit-constructor): it has to become whatever a prototype asks for
    return Type{};
  }
};

/// Where a result may be written to.
struct Somewhere {
  template <typename Type>
  operator Type*() const {  // NOLINT(google-explicit-constructor): as above
    alignas(16) static std::byte room[1024];
    return reinterpret_cast<Type*>(room);
  }
};

struct Refusal {
  const char* name;
  int (*call)(Handles& given);
};

/// One for each place of each function that takes a handle, under its MPI_ and its PMPI_ name.
const std::vector<Refusal>& refusals();

struct MissingResult {
  const char* name;
  const char* parameter;
  bool status;  ///< some MPIs have the null address for MPI_STATUS_IGNORE
  int (*call)(Handles& given);
};

/// One for each result of each function that Raddle answers on endpoints.
const std::vector<MissingResult>& missing_results();

}  // namespace raddle::interpose
