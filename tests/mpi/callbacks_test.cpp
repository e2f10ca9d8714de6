// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that the library calls, and that use the endpoint for which they are called.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

/// A message from a rank to itself, with all the progress that it takes.
int to_itself(MPI_Comm comm) {
  const int self = rank_in(comm);
  const int out = self + 7;
  int in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, self, 3, &in, 1, MPI_INT, self, 3, comm, MPI_STATUS_IGNORE);
  return in - 7;
}

thread_local MPI_Comm of_thread = MPI_COMM_NULL;
std::atomic<int> calls{0};

/// Looks for messages of the endpoint and lets it make progress; both are local (MPI-4.1 section 6.9.5 forbids more).
void add_and_look(void* in, void* inout, int* length, MPI_Datatype*) {
  ++calls;
  int come = 0;
  // A thread of the library's own may call this, too.
  for (int i = 0; i < 3 && of_thread != MPI_COMM_NULL; ++i)
    MPI_Iprobe(MPI_ANY_SOURCE, 77, of_thread, &come, MPI_STATUS_IGNORE);
  for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

TEST(Callbacks, OperatorsMayLookForMessages) {
  calls = 0;
  Endpoints endpoints(2, MPI_COMM_SELF);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_and_look, 1, &op);
  each(endpoints, [&](MPI_Comm comm, int index) {
    of_thread = comm;
    for (int round = 0; round < 20; ++round) {
      const int mine = index + 1;
      int now = 0;
      int later[2] = {0, 0};
      MPI_Request requests[2];
      MPI_Iallreduce(&mine, &later[0], 1, MPI_INT, op, comm, &requests[0]);
      MPI_Iscan(&mine, &later[1], 1, MPI_INT, op, comm, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      MPI_Allreduce(&mine, &now, 1, MPI_INT, op, comm);
      EXPECT_EQ(later[0], 3);
      EXPECT_EQ(later[1], index == 0 ? 1 : 3);
      EXPECT_EQ(now, 3);
    }
  });
  MPI_Op_free(&op);
  EXPECT_GT(calls, 0);
}

int copy_and_talk(MPI_Comm old, int, void* extra, void* value, void* copy, int* flag) {
  ++calls;
  EXPECT_EQ(to_itself(old), rank_in(old));
  EXPECT_EQ(extra, &calls);
  *static_cast<void**>(copy) = value;
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_and_talk(MPI_Comm comm, int, void*, void*) {
  ++calls;
  EXPECT_EQ(to_itself(comm), rank_in(comm));
  return MPI_SUCCESS;
}

TEST(Callbacks, CopyAndDeleteFunctionsOfAttributesMayCommunicate) {
  calls = 0;
  Endpoints endpoints(2);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_and_talk, delete_and_talk, &key, &calls);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm_set_attr(comm, key, nullptr);
    MPI_Comm copy = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_dup(comm, &copy), MPI_SUCCESS);
    EXPECT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
    EXPECT_EQ(MPI_Comm_delete_attr(comm, key), MPI_SUCCESS);
  });
  MPI_Comm_free_keyval(&key);
  EXPECT_EQ(calls, 2 * 3);
}

// The signature is the MPI's.
void handle_and_talk(MPI_Comm* comm, int*, ...) {  // NOLINT(cert-dcl50-cpp)
  ++calls;
  EXPECT_EQ(to_itself(*comm), rank_in(*comm));
}

TEST(Callbacks, ErrorHandlersMayCommunicate) {
  calls = 0;
  Endpoints endpoints(2);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(handle_and_talk, &handler);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, handler);
    const int self = rank_in(comm);
    const int out[2] = {1, 2};
    int in = 0;
    EXPECT_NE(MPI_Send(out, 1, MPI_INT, size_of(comm), 0, comm), MPI_SUCCESS);
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Isend(out, 2, MPI_INT, self, 1, comm, &send);
    EXPECT_NE(MPI_Recv(&in, 1, MPI_INT, self, 1, comm, MPI_STATUS_IGNORE), MPI_SUCCESS);  // truncated
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  });
  MPI_Errhandler_free(&handler);
  EXPECT_EQ(calls, 2 * 2);
}

int query_and_talk(void* extra, MPI_Status* status) {
  ++calls;
  MPI_Comm comm = *static_cast<MPI_Comm*>(extra);
  EXPECT_EQ(to_itself(comm), rank_in(comm));
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}

TEST(Callbacks, GeneralizedRequestsMayCommunicateWhenTheyAreAsked) {
  calls = 0;
  Endpoints endpoints(2);
  each(endpoints, [&](MPI_Comm comm, int) {
    const int self = rank_in(comm);
    const int out = 5;
    int in = 0;
    MPI_Request requests[3];
    MPI_Grequest_start(
        query_and_talk, [](void*) { return static_cast<int>(MPI_SUCCESS); },
        [](void*, int) { return static_cast<int>(MPI_SUCCESS); }, &comm, &requests[0]);
    MPI_Irecv(&in, 1, MPI_INT, self, 9, comm, &requests[1]);
    MPI_Isend(&out, 1, MPI_INT, self, 9, comm, &requests[2]);
    MPI_Grequest_complete(requests[0]);
    EXPECT_EQ(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(in, 5);
  });
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace raddle::testing
