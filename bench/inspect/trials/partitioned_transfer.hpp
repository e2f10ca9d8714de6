// SPDX-License-Identifier: BSD-3-Clause
// What the trials of partitioned communication share: rank 0 sends to rank 1 of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <vector>

namespace raddle::inspect {

int my_rank();

/// A persistent transfer of ints, cut into partitions on each side as that side likes.
class PartitionedTransfer {
 public:
  PartitionedTransfer(int elements, int sender_partitions, int receiver_partitions, int tag = 0);
  ~PartitionedTransfer();
  PartitionedTransfer(const PartitionedTransfer&) = delete;
  PartitionedTransfer& operator=(const PartitionedTransfer&) = delete;

  [[nodiscard]] bool sends() const { return sends_; }
  [[nodiscard]] MPI_Request& request() { return request_; }

  /// Begins a round: the sender fills its buffer, the receiver spoils its own.
  void start();
  /// The same without the call of MPI_Start.
  void prepare();
  /// Marks all partitions ready; nothing on the receiver.
  void ready_all();
  void wait();
  /// Whether MPI_Parrived says so of the partition within `seconds`.
  bool arrives(int partition, double seconds);
  /// @throws Defect unless the receiver has the data of this round
  void verify() const;

 private:
  [[nodiscard]] int value(std::size_t index) const;

  bool sends_;
  int partitions_;
  int round_ = 0;
  std::vector<int> data_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace raddle::inspect
