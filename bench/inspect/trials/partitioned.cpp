// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication: does it work, and do its requests behave.
#include <array>
#include <string>
#include <vector>

#include "inspect/trial.hpp"
#include "inspect/trials/partitioned_transfer.hpp"

namespace raddle::inspect {
namespace {

constexpr int elements = 1024;
constexpr int partitions = 4;
constexpr int rounds = 3;

void exchange() {
  PartitionedTransfer transfer(elements, partitions, partitions);
  for (int round = 0; round < rounds; ++round) {
    transfer.start();
    transfer.ready_all();
    transfer.wait();
    transfer.verify();
  }
}

/// A request that was complete in one round must not pass for complete in the next before its partitions are ready.
void test_before_ready() {
  PartitionedTransfer transfer(elements, partitions, partitions);
  for (int round = 1; round <= rounds; ++round) {
    transfer.start();
    for (int i = 0; transfer.sends() && i < 100; ++i) {
      int complete = 0;
      check(MPI_Test(&transfer.request(), &complete, MPI_STATUS_IGNORE), "MPI_Test");
      if (complete != 0) {
        throw Defect("MPI_Test called the send of round " + std::to_string(round) +
                     " complete before any partition was ready");
      }
    }
    transfer.ready_all();
    transfer.wait();
    transfer.verify();
  }
}

void start_together() {
  PartitionedTransfer first(elements, partitions, partitions, 1);
  PartitionedTransfer second(elements, partitions, partitions, 2);
  first.prepare();
  second.prepare();
  std::array<MPI_Request, 2> both{first.request(), second.request()};
  check(MPI_Startall(2, both.data()), "MPI_Startall");
  first.ready_all();
  second.ready_all();
  check(MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  first.verify();
  second.verify();
}

void no_partner() {
  std::vector<int> data(elements);
  MPI_Request request = MPI_REQUEST_NULL;
  const int each = elements / partitions;
  check(
      MPI_Psend_init(data.data(), partitions, each, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
      "MPI_Psend_init to MPI_PROC_NULL");
  check(MPI_Start(&request), "MPI_Start");
  for (int i = 0; i < partitions; ++i) check(MPI_Pready(i, request), "MPI_Pready");
  check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  check(MPI_Request_free(&request), "MPI_Request_free");
}

/// Every other int of the buffer: partitions begin at multiples of the type's extent, not of its size.
void strided() {
  constexpr std::size_t stride = 2;
  std::vector<int> data(stride * elements, -1);
  const bool sends = my_rank() == 0;
  for (std::size_t i = 0; sends && i < elements; ++i) data[stride * i] = static_cast<int>(i);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, stride * sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Request request = MPI_REQUEST_NULL;
  const int each = elements / partitions;
  if (sends) {
    check(MPI_Psend_init(data.data(), partitions, each, type, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          "MPI_Psend_init");
  } else {
    check(MPI_Precv_init(data.data(), partitions, each, type, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          "MPI_Precv_init");
  }
  check(MPI_Start(&request), "MPI_Start");
  for (int i = 0; sends && i < partitions; ++i) check(MPI_Pready(i, request), "MPI_Pready");
  check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  int wrong = 0;
  for (std::size_t i = 0; i < elements; ++i) wrong += data[stride * i] == static_cast<int>(i) ? 0 : 1;
  if (wrong != 0) throw Defect(std::to_string(wrong) + " of " + std::to_string(elements) + " elements arrived wrong");
  MPI_Request_free(&request);
  MPI_Type_free(&type);
}

const std::array registered{
    RegisterTrial("partitioned-exchange", exchange), RegisterTrial("partitioned-test", test_before_ready),
    RegisterTrial("partitioned-startall", start_together), RegisterTrial("partitioned-no-partner", no_partner),
    RegisterTrial("partitioned-strided", strided)};

}  // namespace
}  // namespace raddle::inspect
