// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose function FAILING_CALL fails the FAILING_AT-th time, and all later times, that libraddle calls it. Loaded
// between libraddle and the MPI; calls of the program go on to it as well, since they pass libraddle.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdlib>
#include <cstring>

namespace {

bool fails(const char* call) {
  static const char* const failing = std::getenv("FAILING_CALL");
  static const char* const at = std::getenv("FAILING_AT");
  static int calls = 0;
  return failing != nullptr && std::strcmp(failing, call) == 0 && ++calls >= (at != nullptr ? std::atoi(at) : 1);
}

template <typename Function>
Function next(const char* name, Function) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int PMPI_Start(MPI_Request* request) {
  return fails("Start") ? MPI_ERR_OTHER : next("PMPI_Start", &PMPI_Start)(request);
}

int PMPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return fails("Isend") ? MPI_ERR_OTHER : next("PMPI_Isend", &PMPI_Isend)(data, count, type, to, tag, comm, request);
}

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return fails("Iprobe") ? MPI_ERR_OTHER : next("PMPI_Iprobe", &PMPI_Iprobe)(source, tag, comm, flag, status);
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return fails("Test") ? MPI_ERR_OTHER : next("PMPI_Test", &PMPI_Test)(request, flag, status);
}

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  return fails("Improbe") ? MPI_ERR_OTHER
                          : next("PMPI_Improbe", &PMPI_Improbe)(source, tag, comm, flag, message, status);
}
}
