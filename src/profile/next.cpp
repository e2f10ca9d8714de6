// SPDX-License-Identifier: BSD-3-Clause
#include "profile/next.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace raddle::profile {

Mpi mpi{};

namespace {

template <typename Function>
void take(Function*& into, const char* name) {
  for (std::uint32_t function = 0; function < functions; ++function) {
    if (std::strcmp(names[function], name) == 0) into = reinterpret_cast<Function*>(next[2 * function + 1]);
  }
}

}  // namespace

void lack(int entry) {
  std::fprintf(stderr, "raddle: %s%s is called, and the MPI library of this process has no such function\n",
               entry % 2 == 0 ? "" : "P", names[entry / 2]);
  std::abort();
}

[[gnu::constructor(101)]] void find_next() {
  char name[80];
  for (int entry = 0; entry < 2 * static_cast<int>(functions); ++entry) {
    std::snprintf(name, sizeof name, "%s%s", entry % 2 == 0 ? "" : "P", names[entry / 2]);
    void* const found = dlsym(RTLD_NEXT, name);
    next[entry] = found != nullptr ? found : reinterpret_cast<void*>(lacking[entry]);
  }
  take(mpi.comm_rank, "MPI_Comm_rank");
  take(mpi.comm_size, "MPI_Comm_size");
  take(mpi.comm_test_inter, "MPI_Comm_test_inter");
  take(mpi.comm_get_name, "MPI_Comm_get_name");
  take(mpi.comm_group, "MPI_Comm_group");
  take(mpi.group_free, "MPI_Group_free");
  take(mpi.group_translate_ranks, "MPI_Group_translate_ranks");
  take(mpi.type_size, "MPI_Type_size");
  take(mpi.get_count, "MPI_Get_count");
  take(mpi.query_thread, "MPI_Query_thread");
  take(mpi.get_library_version, "MPI_Get_library_version");
}

}  // namespace raddle::profile
