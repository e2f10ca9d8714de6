// SPDX-License-Identifier: BSD-3-Clause
// Every allocation of Raddle's fails in turn: each call returns MPI_SUCCESS or an error, and all is well afterwards.
#include <mpi.h>
#include <raddle/raddle.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

thread_local long left = -1;  // allocations of this thread until one fails; < 0: none does
thread_local bool failed = false;

void* get(std::size_t bytes) {
  if (left >= 0 && left-- == 0) {
    failed = true;
    return nullptr;
  }
  return std::malloc(bytes > 0 ? bytes : 1);
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* const got = get(bytes)) return got;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

int wrong = 0;

/// Makes a call so often that each of its allocations has failed once. @param undo  after one that was successful
template <typename Call, typename Undo>
void each(const char* name, Call&& call, Undo&& undo) {
  long failures = 0;
  for (long k = 0; k < 200; ++k) {
    left = k;
    failed = false;
    const int code = call();
    left = -1;
    int error_class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
    if (code == MPI_SUCCESS) {
      undo();
    } else if (error_class != MPI_ERR_NO_MEM || !failed) {
      std::printf("%s: class %d at allocation %ld\n", name, error_class, k);
      ++wrong;
    }
    if (!failed) break;
    ++failures;
  }
  std::printf("%s: %ld allocations failed\n", name, failures);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm one = MPI_COMM_NULL;
  MPIX_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &one);

  MPI_Datatype spread = MPI_DATATYPE_NULL;
  MPI_Type_vector(300, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  static int data[600];
  static int room[600];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Request other = MPI_REQUEST_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  const auto nothing = [] {};
  const auto give_up = [&] { MPI_Request_free(&request); };

  each(
      "Irecv", [&] { return MPI_Irecv(room, 600, MPI_INT, 0, 1, one, &request); },
      [&] {
        MPI_Send(data, 600, MPI_INT, 0, 1, one);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      });
  each(
      "Isend", [&] { return MPI_Isend(data, 1, spread, 0, 2, one, &request); },
      [&] {
        MPI_Recv(room, 1, spread, 0, 2, one, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      });
  each("Send_init", [&] { return MPI_Send_init(data, 1, spread, 0, 3, one, &request); }, give_up);
  each("Recv_init", [&] { return MPI_Recv_init(room, 1, spread, 0, 3, one, &request); }, give_up);
  each("Comm_group", [&] { return MPI_Comm_group(one, &group); }, [&] { MPI_Group_free(&group); });
  each(
      "Raddle_Psend_init", [&] { return Raddle_Psend_init(data, 4, 4, MPI_INT, 0, 4, one, MPI_INFO_NULL, &request); },
      [&] {
        Raddle_Precv_init(room, 4, 4, MPI_INT, 0, 4, one, MPI_INFO_NULL, &other);
        MPI_Request_free(&request);
        MPI_Request_free(&other);
      });
  each(
      "Sendrecv",
      [&] { return MPI_Sendrecv(data, 10, MPI_INT, 0, 5, room, 10, MPI_INT, 0, 5, one, MPI_STATUS_IGNORE); }, nothing);

  data[0] = 42;
  room[0] = 0;
  MPI_Sendrecv(data, 1, MPI_INT, 0, 9, room, 1, MPI_INT, 0, 9, one, MPI_STATUS_IGNORE);
  wrong += room[0] != 42;
  MPI_Type_free(&spread);
  MPI_Comm_free(&one);
  MPI_Finalize();
  std::printf("no memory: %s\n", wrong == 0 ? "all good" : "wrong");
  return wrong != 0;
}
