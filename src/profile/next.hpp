// SPDX-License-Identifier: BSD-3-Clause
// The functions that are called in turn: those of the MPI, or of another tool or libraddle, which come behind.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::profile {

// By number of the function, as generated. An entry is twice that number, plus one for the PMPI_ name.
extern const std::uint32_t functions;
extern const std::uint32_t create_endpoints;  ///< the number of what libraddle adds to them
extern const char* const names[];
[[gnu::visibility("hidden")]] extern void* next[];
extern void (*const lacking[])();  ///< by entry: what is called where the library does not have it

/// Ends the process, saying which function the library does not have.
[[noreturn]] void lack(int entry);

/// Finds what comes next. Before any code that calls MPI.
void find_next();

/// What the recording itself asks the MPI, behind all wrappers.
struct Mpi {
  decltype(&MPI_Comm_rank) comm_rank;
  decltype(&MPI_Comm_size) comm_size;
  decltype(&MPI_Comm_test_inter) comm_test_inter;
  decltype(&MPI_Comm_get_name) comm_get_name;
  decltype(&MPI_Comm_group) comm_group;
  decltype(&MPI_Group_free) group_free;
  decltype(&MPI_Group_translate_ranks) group_translate_ranks;
  decltype(&MPI_Type_size) type_size;
  decltype(&MPI_Get_count) get_count;
  decltype(&MPI_Query_thread) query_thread;
  decltype(&MPI_Get_library_version) get_library_version;
};
extern Mpi mpi;

}  // namespace raddle::profile
