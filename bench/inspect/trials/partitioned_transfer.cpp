// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/trials/partitioned_transfer.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "inspect/trial.hpp"

namespace raddle::inspect {

int my_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

PartitionedTransfer::PartitionedTransfer(int elements, int sender_partitions, int receiver_partitions, int tag)
    : sends_(my_rank() == 0),
      partitions_(sends_ ? sender_partitions : receiver_partitions),
      data_(static_cast<std::size_t>(elements), -1) {
  const int each = elements / partitions_;
  if (sends_) {
    check(MPI_Psend_init(data_.data(), partitions_, each, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request_),
          "MPI_Psend_init");
  } else {
    check(MPI_Precv_init(data_.data(), partitions_, each, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request_),
          "MPI_Precv_init");
  }
}

PartitionedTransfer::~PartitionedTransfer() {
  // After a defect the request may be active, and freeing it hang.
  if (std::uncaught_exceptions() == 0) MPI_Request_free(&request_);
}

void PartitionedTransfer::prepare() {
  ++round_;
  for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = sends_ ? value(i) : -1;
}

void PartitionedTransfer::start() {
  prepare();
  check(MPI_Start(&request_), "MPI_Start");
}

void PartitionedTransfer::ready_all() {
  for (int i = 0; sends_ && i < partitions_; ++i) check(MPI_Pready(i, request_), "MPI_Pready");
}

void PartitionedTransfer::wait() { check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

bool PartitionedTransfer::arrives(int partition, double seconds) {
  const double deadline = MPI_Wtime() + seconds;
  int arrived = 0;
  do {
    check(MPI_Parrived(request_, partition, &arrived), "MPI_Parrived");
  } while (arrived == 0 && MPI_Wtime() < deadline);
  return arrived != 0;
}

void PartitionedTransfer::verify() const {
  if (sends_) return;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < data_.size(); ++i) wrong += data_[i] == value(i) ? 0 : 1;
  if (wrong != 0) {
    throw Defect(std::to_string(wrong) + " of " + std::to_string(data_.size()) + " elements arrived wrong in round " +
                 std::to_string(round_));
  }
}

int PartitionedTransfer::value(std::size_t index) const { return round_ * 1'000'000 + static_cast<int>(index); }

}  // namespace raddle::inspect
