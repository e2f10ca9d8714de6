// SPDX-License-Identifier: BSD-3-Clause
// Partitioned transfers must concern nobody else: no other message, and no other rank.
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "inspect/trial.hpp"
#include "inspect/trials/partitioned_transfer.hpp"

namespace raddle::inspect {
namespace {

constexpr int elements = 1024;
constexpr int tag = 77;

/// A receive of any tag must get the message that was sent, not what partitioned communication sends for itself.
void any_tag() {
  const bool sends = my_rank() == 0;
  int got = 0;
  MPI_Request message = MPI_REQUEST_NULL;
  if (!sends) {
    check(MPI_Irecv(&got, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &message), "MPI_Irecv");
  }
  check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
  PartitionedTransfer transfer(elements, 4, 4);
  transfer.start();
  transfer.ready_all();
  if (sends) {
    check(MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD), "MPI_Send");
  } else {
    MPI_Status status;
    check(MPI_Wait(&message, &status), "MPI_Wait for a message of any tag");
    if (status.MPI_TAG != tag || got != tag) throw Defect("a receive of any tag got something that nobody sent");
  }
  transfer.wait();
  transfer.verify();
}

/// Two ranks exchange while a third is busy elsewhere.
void two_of_three() {
  const int rank = my_rank();
  if (rank < 2) {
    PartitionedTransfer transfer(elements, 4, 4);
    transfer.start();
    transfer.ready_all();
    transfer.wait();
    transfer.verify();
    char done = 0;
    if (rank == 1) check(MPI_Send(&done, 1, MPI_CHAR, 2, tag, MPI_COMM_WORLD), "MPI_Send");
  } else if (rank == 2) {
    int there = 0;
    while (there == 0) {
      check(MPI_Iprobe(1, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // there may be fewer CPUs than ranks
    }
    char done = 0;
    check(MPI_Recv(&done, 1, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

const std::array registered{RegisterTrial("partitioned-any-tag", any_tag),
                            RegisterTrial("partitioned-subset", two_of_three)};

}  // namespace
}  // namespace raddle::inspect
