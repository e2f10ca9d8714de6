// SPDX-License-Identifier: BSD-3-Clause
// What is under way when its communicator is freed ends as if it had not been (MPI-4.1 section 7.4.3), and what goes
// with the communicator is told of it while it is still there (section 7.7.2).
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <utility>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace raddle {
namespace {

using testing::class_of;
using testing::Endpoints;
using testing::rank_in;
using testing::size_of;

class FreedEndpoints : public ::testing::Test {
 protected:
  void SetUp() override { MPIX_Comm_create_endpoints(MPI_COMM_SELF, 2, MPI_INFO_NULL, endpoint_.data()); }
  void TearDown() override {
    free_all();
    for (MPI_Request& request : never_) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }

  void free(int i) {
    MPI_Comm& comm = endpoint_[static_cast<std::size_t>(i)];
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  /// What the MPI has got back of them it gives out again: to requests that never complete, and to other endpoints.
  void free_all() {
    free(0);
    free(1);
    for (int i = 0; i < 16; ++i)
      MPI_Irecv(nullptr, 0, MPI_INT, 0, 999, MPI_COMM_SELF, &never_.emplace_back(MPI_REQUEST_NULL));
    const Endpoints others(2, MPI_COMM_SELF);
    EXPECT_EQ(others.code(), MPI_SUCCESS);
  }
  static bool ends(MPI_Request& request, MPI_Status* status) {
    int flag = 0;
    EXPECT_EQ(MPI_Test(&request, &flag, status), MPI_SUCCESS);
    return flag != 0;
  }

  std::vector<MPI_Request> never_;
  std::array<MPI_Comm, 2> endpoint_{MPI_COMM_NULL, MPI_COMM_NULL};
};

TEST_F(FreedEndpoints, SendsThatWereCompleteCanBeWaitedFor) {
  const int out = 7;
  int in = 0;
  std::array<MPI_Request, 3> requests{};
  MPI_Isend(&out, 1, MPI_INT, 1, 0, endpoint_[0], requests.data());
  MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, endpoint_[0], &requests[1]);
  MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, endpoint_[0], &requests[2]);
  MPI_Recv(&in, 1, MPI_INT, 0, 0, endpoint_[1], MPI_STATUS_IGNORE);
  EXPECT_EQ(in, 7);
  free_all();
  MPI_Status status;
  for (MPI_Request& request : requests) {
    EXPECT_TRUE(ends(request, &status));
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  }
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
}

#if MPI_VERSION >= 4
TEST_F(FreedEndpoints, PairsCanBeWaitedFor) {
  const int out = 8;
  int in = 0;
  std::array<MPI_Request, 2> requests{};
  MPI_Isendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 0, &in, 1, MPI_INT, MPI_PROC_NULL, 0, endpoint_[0], requests.data());
  MPI_Isendrecv(&out, 1, MPI_INT, 1, 0, &in, 1, MPI_INT, 1, 0, endpoint_[0], &requests[1]);
  MPI_Send(&out, 1, MPI_INT, 0, 0, endpoint_[1]);
  int received = 0;
  MPI_Recv(&received, 1, MPI_INT, 0, 0, endpoint_[1], MPI_STATUS_IGNORE);
  free_all();
  std::array<MPI_Status, 2> statuses{};
  EXPECT_TRUE(ends(requests[0], statuses.data()));
  EXPECT_EQ(MPI_Wait(&requests[1], &statuses[1]), MPI_SUCCESS);
  EXPECT_EQ(statuses[0].MPI_SOURCE, MPI_PROC_NULL);
  EXPECT_EQ(statuses[1].MPI_SOURCE, 1);
  EXPECT_EQ(in, 8);
}
#endif

TEST_F(FreedEndpoints, ProbedMessagesCanBeReceived) {
  std::vector<int> out(3000, 9);
  std::vector<int> in(out.size());
  for (const int count : {1, 3000}) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(out.data(), count, MPI_INT, 1, 0, endpoint_[0], &request);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Mprobe(0, 0, endpoint_[1], &message, MPI_STATUS_IGNORE);
    free_all();
    MPI_Status status;
    EXPECT_EQ(MPI_Mrecv(in.data(), count, MPI_INT, &message, &status), MPI_SUCCESS);
    int got = 0;
    MPI_Get_count(&status, MPI_INT, &got);
    EXPECT_EQ(got, count);
    EXPECT_EQ(in[static_cast<std::size_t>(count) - 1], 9);
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    SetUp();
  }
}

int heard = 0;
int last_code = MPI_SUCCESS;

void listen(MPI_Comm*, int* code, ...) {
  ++heard;
  last_code = *code;
}

TEST_F(FreedEndpoints, ErrorsAreRaisedByTheHandlerOfTheFreedOne) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(listen, &handler);
  MPI_Comm_set_errhandler(endpoint_[0], handler);
  heard = 0;
  int room = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&room, 1, MPI_INT, 1, 0, endpoint_[0], &request);
  free(0);
  MPI_Comm other = MPI_COMM_NULL;  // may have the handle now
  MPI_Comm_dup(MPI_COMM_SELF, &other);
  const std::array<int, 2> two{1, 2};
  MPI_Send(two.data(), 2, MPI_INT, 0, 0, endpoint_[1]);
  EXPECT_EQ(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
  EXPECT_EQ(heard, 1);
  EXPECT_EQ(class_of(last_code), MPI_ERR_TRUNCATE);
  MPI_Comm_free(&other);
  MPI_Errhandler_free(&handler);
}

std::vector<std::pair<int, int>> deleted;  ///< rank and size of what a delete function was given

int note(MPI_Comm comm, int, void*, void*) {
  deleted.emplace_back(rank_in(comm), size_of(comm));
  return MPI_SUCCESS;
}

TEST_F(FreedEndpoints, DeleteFunctionsAreGivenTheEndpoint) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &key, nullptr);
  for (const MPI_Comm comm : endpoint_) MPI_Comm_set_attr(comm, key, nullptr);
  deleted.clear();
  free(0);
  free(1);
  EXPECT_EQ(deleted, (std::vector<std::pair<int, int>>{{0, 2}, {1, 2}}));
  MPI_Comm_free_keyval(&key);
}

/// Sends to the other endpoint and frees that.
int say_goodbye(MPI_Comm comm, int, void* value, void*) {
  auto& other = *static_cast<MPI_Comm*>(value);
  const int out = 5;
  int in = 0;
  MPI_Send(&out, 1, MPI_INT, 1, 0, comm);
  MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
  EXPECT_EQ(in, 5);
  MPI_Comm_free(&other);
  deleted.emplace_back(rank_in(comm), size_of(comm));
  return MPI_SUCCESS;
}

TEST_F(FreedEndpoints, DeleteFunctionsMayUseItAndFreeAnother) {
  int key = MPI_KEYVAL_INVALID;
  int noting = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, say_goodbye, &key, nullptr);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &noting, nullptr);
  MPI_Comm_set_attr(endpoint_[0], key, &endpoint_[1]);
  MPI_Comm_set_attr(endpoint_[1], noting, nullptr);
  deleted.clear();
  free(0);
  EXPECT_EQ(endpoint_[1], MPI_COMM_NULL);
  EXPECT_EQ(deleted, (std::vector<std::pair<int, int>>{{1, 2}, {0, 2}}));
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free_keyval(&noting);
}

// Each step of the making of endpoints is once the first for which the MPI has no communicator left.
TEST(Endpoints, AreRefusedByNameWhereCommunicatorsRunOut) {
  constexpr std::size_t most = 2500;  // MPICH has fewer; of Open MPI's each takes its time
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::vector<MPI_Comm> used;
  MPI_Comm made = MPI_COMM_NULL;
  while (used.size() < most && MPI_Comm_dup(MPI_COMM_WORLD, &made) == MPI_SUCCESS) used.push_back(made);
  const bool runs_out = used.size() < most;
  int refused = 0;
  int provided = 0;
  for (int left = 0; runs_out && provided < 2 && left < 40; ++left) {
    Endpoints endpoints(2);
    if (endpoints.code() == MPI_SUCCESS) {
      ++provided;
      testing::each(endpoints, [](MPI_Comm comm, int) {
        int sum = 1;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
        EXPECT_EQ(sum, size_of(comm));
        EXPECT_EQ(sum, 2 * size_of(MPI_COMM_WORLD));
      });
    } else {
      ++refused;
      int expected = MPI_SUCCESS;
      Raddle_Err_endpoints(&expected);
      EXPECT_EQ(class_of(endpoints.code()), expected) << left << " communicators left";
      EXPECT_EQ(endpoints[0], MPI_COMM_NULL);
    }
    MPI_Comm_free(&used.back());
    used.pop_back();
  }
  for (MPI_Comm& comm : used) MPI_Comm_free(&comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (!runs_out) GTEST_SKIP() << "this MPI has more than " << most << " communicators";
  EXPECT_EQ(provided, 2);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace raddle
