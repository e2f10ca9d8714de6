// SPDX-License-Identifier: BSD-3-Clause
// What MPI_Parrived says of a partition: true before its data are there, never true, or only when all are there.
#include <array>
#include <string>

#include "inspect/trial.hpp"
#include "inspect/trials/partitioned_transfer.hpp"

namespace raddle::inspect {
namespace {

constexpr int elements = 1024;
constexpr int tag_of_go = 1000;
// Long enough for a message on a busy machine; what arrives within it usually takes microseconds.
constexpr double patience = 0.4;

/// The sender waits here until the receiver has looked.
void let_look(const PartitionedTransfer& transfer) {
  char go = 0;
  if (transfer.sends()) {
    check(MPI_Recv(&go, 1, MPI_CHAR, 1, tag_of_go, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
  } else {
    check(MPI_Send(&go, 1, MPI_CHAR, 0, tag_of_go, MPI_COMM_WORLD), "MPI_Send");
  }
}

void ready_every_other(PartitionedTransfer& transfer, int partitions, int first) {
  for (int i = first; transfer.sends() && i < partitions; i += 2) {
    check(MPI_Pready(i, transfer.request()), "MPI_Pready");
  }
}

void finish(PartitionedTransfer& transfer) {
  transfer.wait();
  transfer.verify();
}

/// Half of 16 partitions are ready, which make half of each of 8.
void too_early() {
  PartitionedTransfer transfer(elements, 16, 8);
  transfer.start();
  ready_every_other(transfer, 16, 0);
  int early = 0;
  for (int i = 0; !transfer.sends() && i < 8; ++i) early += transfer.arrives(i, patience / 8) ? 1 : 0;
  if (early != 0) {
    throw Defect("MPI_Parrived was true for " + std::to_string(early) +
                 " of 8 partitions of which half was not even ready");
  }
  let_look(transfer);
  ready_every_other(transfer, 16, 1);
  finish(transfer);
}

/// All of 8 partitions are ready, which make 16.
void never() {
  PartitionedTransfer transfer(elements, 8, 16);
  transfer.start();
  transfer.ready_all();
  int missing = 0;
  for (int i = 0; !transfer.sends() && i < 16; ++i)
    missing += transfer.arrives(i, missing == 0 ? patience : patience / 16) ? 0 : 1;
  if (missing != 0) {
    throw Defect("MPI_Parrived did not become true for " + std::to_string(missing) + " of 16 partitions");
  }
  finish(transfer);
}

/// Half of the partitions are ready, the same on both sides: an early receiver could use these.
void in_parts() {
  PartitionedTransfer transfer(elements, 4, 4);
  transfer.start();
  ready_every_other(transfer, 4, 0);
  if (!transfer.sends() && !transfer.arrives(0, patience)) {
    throw Defect("MPI_Parrived stayed false for a partition that was ready while another was not");
  }
  let_look(transfer);
  ready_every_other(transfer, 4, 1);
  finish(transfer);
}

const std::array registered{RegisterTrial("partitioned-too-early", too_early),
                            RegisterTrial("partitioned-never", never), RegisterTrial("partitioned-in-parts", in_parts)};

}  // namespace
}  // namespace raddle::inspect
