// SPDX-License-Identifier: BSD-3-Clause
// Calls of Raddle's that others wait for, while a function of the MPI fails behind it (failing_mpi.cpp). Errors are
// returned: the program says which, and ends the job.
#include <mpi.h>
#include <raddle/raddle.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

void say(const char* call, int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (code != MPI_SUCCESS) MPI_Error_string(code, text.data(), &length);
  std::printf("%s: %s\n", call, code == MPI_SUCCESS ? "well" : "failed");
  std::fflush(stdout);
  if (code == MPI_SUCCESS) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // mpiexec may end before it has passed on what was said
  MPI_Abort(MPI_COMM_WORLD, 3);                                 // nothing will come
}

void collectives(int rank, int size) {
  MPI_Comm comm = MPI_COMM_NULL;
  say("create", MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm));
  int sum = 0;
  std::array<int, 16> all{};
  say("allreduce", MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
  say("allgather", MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, comm));
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) say("isend", MPI_Isend(&rank, 1, MPI_INT, size - 1, 0, comm, &request));
  if (rank == size - 1) say("recv", MPI_Recv(&sum, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
  if (rank == 0) say("wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_Comm_free(&comm);
}

/// Two sends of which none can end before both are under way.
void together(int rank, int size) {
  MPI_Comm comm = MPI_COMM_NULL;
  say("create", MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm));
  std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (rank == 0) {
    for (int tag = 0; tag < 2; ++tag)
      say("issend", MPI_Issend(&rank, 1, MPI_INT, size - 1, tag, comm, &requests[static_cast<std::size_t>(tag)]));
    say("send", MPI_Send(&rank, 1, MPI_INT, size - 1, 2, comm));
    say("waitall", MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE));
  }
  if (rank == size - 1) {
    int got = 0;
    for (int tag = 2; tag >= 0; --tag) say("recv", MPI_Recv(&got, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE));
  }
  // Nobody is in MPI_Finalize while another ends the job: Open MPI's launcher crashes of that now and then, or hangs.
  say("barrier", MPI_Barrier(comm));
  MPI_Comm_free(&comm);
}

void sparse(const char* algorithm, int rank, int size) {
  const int to = (rank + 1) % size;
  const std::array<MPI_Count, 2> offsets{0, 1};
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "raddle_sparse_algorithm", algorithm);
  Raddle_Sparse_messages received{};
  say("exchange",
      Raddle_Sparse_exchange(&rank, 1, &to, offsets.data(), MPI_INT, MPI_INT, info, MPI_COMM_WORLD, &received));
  Raddle_Sparse_free(&received);
  MPI_Request request = MPI_REQUEST_NULL;
  say("plan", Raddle_Sparse_exchange_init(&rank, 1, &to, offsets.data(), MPI_INT, MPI_INT, info, MPI_COMM_WORLD,
                                          &received, &request));
  say("start", MPI_Start(&request));
  say("wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_Request_free(&request);
  Raddle_Sparse_free(&received);
  MPI_Info_free(&info);
}

void lanes() {
  std::array<MPI_Comm, 2> made{};
  say("lanes", Raddle_Lanes_create(MPI_COMM_WORLD, 2, MPI_INFO_NULL, made.data()));
  say("free", Raddle_Lanes_free(2, made.data()));
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  int rank = 0;
  int size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (std::strcmp(argv[1], "collectives") == 0) collectives(rank, size);
  if (std::strcmp(argv[1], "together") == 0) together(rank, size);
  if (std::strcmp(argv[1], "sparse") == 0) sparse(argv[2], rank, size);
  if (std::strcmp(argv[1], "lanes") == 0) lanes();
  MPI_Finalize();
  std::printf("all: well\n");
  return 0;
}
