// SPDX-License-Identifier: BSD-3-Clause
// Reduction operators of the program, while other threads are in the MPI.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <thread>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

std::atomic<bool> combining{false};
std::atomic<bool> gone_on{false};

void add(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

/// Needs what another thread does after a call of the MPI, as Python's functions may.
void add_when_another_has_gone_on(void* in, void* inout, int* length, MPI_Datatype* type) {
  combining = true;
  while (!gone_on) std::this_thread::yield();
  add(in, inout, length, type);
}

TEST(Operators, MayWaitForAThreadThatIsInTheMpi) {
  Endpoints endpoints(2, MPI_COMM_SELF);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_when_another_has_gone_on, 1, &op);
  std::thread other([] {
    while (!combining) std::this_thread::yield();
    MPI_Op another = MPI_OP_NULL;
    MPI_Op_create(add, 1, &another);
    MPI_Op_free(&another);
    gone_on = true;
  });
  each(endpoints, [&](MPI_Comm comm, int index) {
    int sum = 0;
    MPI_Allreduce(&index, &sum, 1, MPI_INT, op, comm);
    EXPECT_EQ(sum, 1);
  });
  other.join();
  int one = 1;
  int two = 2;
  EXPECT_EQ(MPI_Reduce_local(&one, &two, 1, MPI_INT, op), MPI_SUCCESS);
  EXPECT_EQ(two, 3);
  MPI_Op_free(&op);
  EXPECT_EQ(op, MPI_OP_NULL);
}

}  // namespace
}  // namespace raddle::testing
