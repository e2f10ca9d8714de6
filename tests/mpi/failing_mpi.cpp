// SPDX-License-Identifier: BSD-3-Clause
// An MPI whose function FAILING_CALL fails the FAILING_AT-th time, and all later times, that it is called in the
// program FAILING_IN, if that is given. Several functions have + between them. Loaded between libraddle and the MPI;
// calls of the program go on to it as well, since they pass libraddle.
#include <dlfcn.h>
#include <mpi.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

/// Whether one of `names` is this one.
bool is_among(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = names.find('+');
    if (names.substr(0, end) == name) return true;
    names = end == std::string_view::npos ? "" : names.substr(end + 1);
  }
  return false;
}

bool fails(const char* call) {
  static const char* const failing = std::getenv("FAILING_CALL");
  static const char* const at = std::getenv("FAILING_AT");
  static const char* const program = std::getenv("FAILING_IN");
  static int calls = 0;
  if (failing == nullptr || !is_among(failing, call)) return false;
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
FAILING(Irecv, (void* room, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        (room, count, type, from, tag, comm, request))
FAILING(Imrecv, (void* room, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
        (room, count, type, message, request))
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
FAILING(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
FAILING(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made))
}
