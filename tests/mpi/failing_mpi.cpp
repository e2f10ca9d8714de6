// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose function FAILING_CALL fails the FAILING_AT-th time, and all later times, that it is called in the
// program FAILING_IN, if that is given. Loaded between libraddle and the MPI; calls of the program go on to it as well,
// since they pass libraddle.
#include <dlfcn.h>
#include <mpi.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

bool fails(const char* call) {
  static const char* const failing = std::getenv("FAILING_CALL");
  static const char* const at = std::getenv("FAILING_AT");
  static const char* const program = std::getenv("FAILING_IN");
  static int calls = 0;
  if (failing == nullptr || std::strcmp(failing, call) != 0) return false;
  if (program != nullptr && std::strcmp(program, program_invocation_short_name) != 0) return false;
  return ++calls >= (at != nullptr ? std::atoi(at) : 1);
}

template <typename Function>
Function next(const char* name, Function) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Raddle calls some by one of the names, and some by the other. MPIs lack what they do not call.
#define FAILING(name, parameters, arguments)                                                                     \
  int MPI_##name parameters { return fails(#name) ? MPI_ERR_OTHER : next("MPI_" #name, &MPI_##name) arguments; } \
  int PMPI_##name parameters { return fails(#name) ? MPI_ERR_OTHER : next("PMPI_" #name, &PMPI_##name) arguments; }

extern "C" {

FAILING(Start, (MPI_Request * request), (request))
FAILING(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
FAILING(Testsome, (int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),
        (count, requests, done, indices, statuses))
FAILING(Isend, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request),
        (data, count, type, to, tag, comm, request))
FAILING(Issend, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request),
        (data, count, type, to, tag, comm, request))
FAILING(Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status), (source, tag, comm, flag, status))
FAILING(Improbe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
        (source, tag, comm, flag, message, status))
FAILING(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
FAILING(Iallreduce,
        (const void* data, void* room, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request),
        (data, room, count, type, op, comm, request))
FAILING(Iallgatherv,
        (const void* data, int count, MPI_Datatype type, void* room, const int counts[], const int places[],
         MPI_Datatype room_type, MPI_Comm comm, MPI_Request* request),
        (data, count, type, room, counts, places, room_type, comm, request))
FAILING(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
        (comm, type, key, info, made))
FAILING(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))
FAILING(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made))
}
