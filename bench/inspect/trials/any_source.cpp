// SPDX-License-Identifier: BSD-3-Clause
// A receive from any source gets a message that came before it was posted (MPI-4.1, 3.5).
#include <chrono>
#include <thread>

#include "inspect/trial.hpp"

namespace raddle::inspect {
namespace {

constexpr int tag = 1;
constexpr int later_tag = 2;
constexpr int number = 42;
constexpr auto most_time = std::chrono::seconds(1);

void send_two(int receiver) {
  check(MPI_Send(&number, 1, MPI_INT, receiver, tag, MPI_COMM_WORLD), "MPI_Send");
  check(MPI_Send(&number, 1, MPI_INT, receiver, later_tag, MPI_COMM_WORLD), "MPI_Send");
}

void receive_late(int sender) {
  // Messages do not overtake each other: the first one has come when the second one has.
  check(MPI_Probe(sender, later_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Probe");
  int got = 0;
  int came = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request), "MPI_Irecv");
  const auto give_up = std::chrono::steady_clock::now() + most_time;
  while (came == 0) {
    check(MPI_Test(&request, &came, MPI_STATUS_IGNORE), "MPI_Test");
    if (std::chrono::steady_clock::now() > give_up) break;
    std::this_thread::yield();
  }
  if (came == 0) throw Defect("it does not complete");
  if (got != number) throw Defect("the message arrived changed");
  check(MPI_Recv(&got, 1, MPI_INT, sender, later_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
}

void any_source() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    receive_late(1);
  } else {
    send_two(0);
  }
}

const RegisterTrial registered("any-source", any_source);

}  // namespace
}  // namespace raddle::inspect
