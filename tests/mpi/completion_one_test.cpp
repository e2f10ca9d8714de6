// SPDX-License-Identifier: BSD-3-Clause
// Calls on one request of an endpoint, starts of mixed arrays, and what becomes of arrays where something is wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "interpose/wrapper.hpp"
#include "mpi/completion_world.hpp"
#include "mpi/error_words.hpp"

namespace raddle::endpoints {
namespace {

using testing::class_of;

int queries = 0;
int query(void*, MPI_Status*) {
  ++queries;
  return MPI_SUCCESS;
}
int freed(void*) { return MPI_SUCCESS; }
int cancelled(void*, int) { return MPI_SUCCESS; }

/// One of the MPI's own that is complete, of which it can be told whether the MPI has been asked about it.
MPI_Request complete_native() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Grequest_start(query, freed, cancelled, nullptr, &request);
  MPI_Grequest_complete(request);
  queries = 0;
  return request;
}

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): it looks for the calls that have begun what an endpoint does

class One : public ::testing::Test {
 protected:
  void SetUp() override { heard.clear(); }
  void TearDown() override { endpoint_.forget_requests(); }

  void expect_heard(int code) {
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(class_of(heard[0].code), code);
    EXPECT_EQ(heard[0].comm, endpoint_.comm);
    heard.clear();
  }

  World world_;
  FakeEndpoint& endpoint_ = world_.endpoints[0];
  Result end_{7, 8, 9, false, MPI_SUCCESS};
};

TEST_F(One, WaitTellsAndEnds) {
  FakeRequest& request = endpoint_.request(end_, 40);
  MPI_Request handle = request.handle();
  MPI_Status status{};
  EXPECT_EQ(MPI_Wait(&handle, &status), MPI_SUCCESS);
  EXPECT_EQ(handle, MPI_REQUEST_NULL);
  EXPECT_EQ(status.MPI_SOURCE, 7);
  EXPECT_EQ(status.MPI_TAG, 8);
  EXPECT_EQ(request.retired, 1);
  EXPECT_EQ(endpoint_.steps, 40);
}

TEST_F(One, TestTellsAndEndsOnceItIsComplete) {
  FakeRequest& request = endpoint_.request(end_, 3);
  MPI_Request handle = request.handle();
  for (const int expected : {0, 0, 1}) {
    int flag = never;
    EXPECT_EQ(request.retired, 0);
    EXPECT_EQ(MPI_Test(&handle, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(flag, expected);
  }
  EXPECT_EQ(handle, MPI_REQUEST_NULL);
  EXPECT_EQ(request.retired, 1);
}

TEST_F(One, RequestGetStatusTellsAndEndsNothing) {
  FakeRequest& request = endpoint_.request(end_, 2);
  MPI_Status status{};
  for (const int expected : {0, 1, 1}) {
    int flag = never;
    EXPECT_EQ(MPI_Request_get_status(request.handle(), &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, expected);
  }
  EXPECT_EQ(status.MPI_TAG, 8);
  EXPECT_EQ(request.retired, 0);
}

/// What the program's own requests are asked with; it fails as a whole, and finds nothing.
int refuse_to_test(int, MPI_Request*, int*, int*, MPI_Status*) { return MPI_ERR_OTHER; }

TEST_F(One, WaitsomeDoesNotWaitForAnMpiThatFails) {
  int entry = 0;
  while (std::string_view(interpose::names[entry]) != "MPI_Testsome") ++entry;
  void*& next = interpose::next[2 * entry + 1];
  void* const before = std::exchange(next, reinterpret_cast<void*>(refuse_to_test));
  int value = 0;
  std::array<MPI_Request, 2> requests{endpoint_.request(end_, 1 << 30).handle()};
  MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
  int outcount = never;
  std::array<int, 2> indices{};
  EXPECT_EQ(class_of(MPI_Waitsome(2, requests.data(), &outcount, indices.data(), MPI_STATUSES_IGNORE)), MPI_ERR_OTHER);
  next = before;
  MPI_Cancel(&requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

TEST_F(One, AnErrorIsRaisedAndReturned) {
  int flag = 0;
  for (const int way : {0, 1, 2}) {
    FakeRequest& request = endpoint_.request({.error = MPI_ERR_TRUNCATE}, 1);
    MPI_Request handle = request.handle();
    const int code = way == 0   ? MPI_Wait(&handle, MPI_STATUS_IGNORE)
                     : way == 1 ? MPI_Test(&handle, &flag, MPI_STATUS_IGNORE)
                                : MPI_Request_get_status(handle, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(class_of(code), MPI_ERR_TRUNCATE);
    EXPECT_EQ(request.retired, way == 2 ? 0 : 1);
    expect_heard(MPI_ERR_TRUNCATE);
  }
}

TEST_F(One, APersistentRequestIsStartedAgainAndAgain) {
  FakeRequest& request = endpoint_.request(end_, 2, true);
  MPI_Request handle = request.handle();
  for (int turn = 1; turn <= 3; ++turn) {
    MPI_Status status{};
    EXPECT_EQ(MPI_Wait(&handle, &status), MPI_SUCCESS);  // inactive
    EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    EXPECT_EQ(MPI_Start(&handle), MPI_SUCCESS);
    EXPECT_EQ(request.started, turn);
    EXPECT_EQ(MPI_Wait(&handle, &status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_TAG, 8);
    EXPECT_EQ(handle, request.handle());
    EXPECT_EQ(request.retired, turn);
    int flag = 0;
    EXPECT_EQ(MPI_Test(&handle, &flag, &status), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
    EXPECT_EQ(request.retired, turn);
  }
}

TEST_F(One, OnlyWhatIsPersistentAndInactiveCanBeStarted) {
  MPI_Request once = endpoint_.request(end_, 0).handle();
  EXPECT_EQ(class_of(MPI_Start(&once)), MPI_ERR_REQUEST);
  expect_heard(MPI_ERR_REQUEST);
  FakeRequest& request = endpoint_.request(end_, never, true);
  MPI_Request again = request.handle();
  EXPECT_EQ(MPI_Start(&again), MPI_SUCCESS);
  EXPECT_EQ(class_of(MPI_Start(&again)), MPI_ERR_REQUEST);
  EXPECT_EQ(request.started, 1);
  expect_heard(MPI_ERR_REQUEST);
}

TEST_F(One, StartallStartsAnyMix) {
  FakeRequest& first = endpoint_.request(end_, 1, true);
  FakeRequest& last = world_.endpoints[1].request(end_, 1, true);
  int in = 0;
  int out = 5;
  std::array<MPI_Request, 4> requests{first.handle(), MPI_REQUEST_NULL, MPI_REQUEST_NULL, last.handle()};
  MPI_Recv_init(&in, 1, MPI_INT, 0, 0, world_.natives, &requests[1]);
  MPI_Send_init(&out, 1, MPI_INT, 0, 0, world_.natives, &requests[2]);
  for (int turn = 1; turn <= 2; ++turn) {
    in = 0;
    EXPECT_EQ(MPI_Startall(4, requests.data()), MPI_SUCCESS);
    EXPECT_EQ(first.started, turn);
    EXPECT_EQ(last.started, turn);
    EXPECT_EQ(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(in, 5);
  }
  first.start_error = MPI_ERR_TYPE;
  EXPECT_EQ(class_of(MPI_Startall(4, requests.data())), MPI_ERR_TYPE);
  EXPECT_EQ(last.started, 2);
  expect_heard(MPI_ERR_TYPE);
  MPI_Request_free(&requests[1]);
  MPI_Request_free(&requests[2]);
  world_.endpoints[1].forget_requests();
}

TEST_F(One, ACancelledRequestIsWaitedFor) {
  FakeRequest& request = endpoint_.request(end_, never);
  MPI_Request handle = request.handle();
  EXPECT_EQ(MPI_Cancel(&handle), MPI_SUCCESS);
  EXPECT_EQ(handle, request.handle());
  EXPECT_EQ(request.cancelled, 1);
  MPI_Status status{};
  int cancelled = 0;
  EXPECT_EQ(MPI_Wait(&handle, &status), MPI_SUCCESS);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT_EQ(cancelled, 1);
  MPI_Request inactive = endpoint_.request(end_, 0, true).handle();
  EXPECT_EQ(class_of(MPI_Cancel(&inactive)), MPI_ERR_REQUEST);
  expect_heard(MPI_ERR_REQUEST);
}

TEST_F(One, AFreedRequestIsTheProgramsNoLonger) {
  FakeRequest& request = endpoint_.request(end_, never);
  MPI_Request handle = request.handle();
  EXPECT_EQ(MPI_Request_free(&handle), MPI_SUCCESS);
  EXPECT_EQ(handle, MPI_REQUEST_NULL);
  EXPECT_EQ(request.abandoned, 1);
  EXPECT_EQ(request.retired, 0);
}

TEST_F(One, TheMpisOwnRequestsAreFreedAndCancelledByIt) {
  FakeRequest& request = endpoint_.request(end_, never);
  int in = 0;
  MPI_Request handle = MPI_REQUEST_NULL;
  MPI_Irecv(&in, 1, MPI_INT, 0, 0, world_.natives, &handle);
  EXPECT_EQ(MPI_Cancel(&handle), MPI_SUCCESS);
  MPI_Status status{};
  int cancelled = 0;
  EXPECT_EQ(MPI_Wait(&handle, &status), MPI_SUCCESS);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT_EQ(cancelled, 1);
  EXPECT_EQ(request.cancelled, 0);
}

TEST_F(One, WaitallDoesNotWaitForEverAfterAFailure) {
  for (const bool failed_first : {true, false}) {
    FakeRequest& lost = endpoint_.request(end_, never);
    FakeRequest& failed = world_.endpoints[1].request({.error = MPI_ERR_TRUNCATE}, 1);
    FakeRequest& good = world_.endpoints[2].request(end_, 1);
    int in = 0;
    std::array<MPI_Request, 5> requests{};
    requests[failed_first ? 3 : 0] = lost.handle();
    requests[failed_first ? 0 : 3] = failed.handle();
    requests[1] = MPI_REQUEST_NULL;
    requests[2] = good.handle();
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, world_.natives, &requests[4]);
    std::array<MPI_Status, 5> statuses{};
    EXPECT_EQ(MPI_Waitall(5, requests.data(), statuses.data()), MPI_ERR_IN_STATUS);
    EXPECT_EQ(statuses[failed_first ? 3 : 0].MPI_ERROR, MPI_ERR_PENDING);
    EXPECT_EQ(statuses[failed_first ? 0 : 3].MPI_ERROR, MPI_ERR_TRUNCATE);
    EXPECT_EQ(statuses[1].MPI_ERROR, MPI_SUCCESS);
    EXPECT_EQ(statuses[2].MPI_ERROR, MPI_SUCCESS);
    EXPECT_EQ(statuses[4].MPI_ERROR, MPI_ERR_PENDING);
    EXPECT_EQ(requests[failed_first ? 3 : 0], lost.handle());
    EXPECT_EQ(requests[2], MPI_REQUEST_NULL);
    EXPECT_NE(requests[4], MPI_REQUEST_NULL);
    EXPECT_EQ(failed.retired + good.retired, 2);
    EXPECT_EQ(lost.retired, 0);
    EXPECT_STREQ(endpoint_.blocked_in, "MPI_Waitall");
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].comm, failed.comm());
    heard.clear();
    MPI_Cancel(&requests[4]);
    MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
    for (FakeEndpoint& endpoint : world_.endpoints) endpoint.forget_requests();
  }
}

TEST_F(One, WaitallEndsTheMpisOwnRequestsWhileItWaitsForAnEndpoint) {
  FakeRequest& request = endpoint_.request(end_, never);
  int in = 0;
  const int out = 5;
  MPI_Request sent = MPI_REQUEST_NULL;
  std::array<MPI_Request, 2> requests{request.handle(), MPI_REQUEST_NULL};
  MPI_Irecv(&in, 1, MPI_INT, 0, 0, world_.natives, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, 0, 0, world_.natives, &sent);
  endpoint_.at_step = [&] {
    if (requests[1] == MPI_REQUEST_NULL || endpoint_.steps > 100'000) request.finish();
  };
  EXPECT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_LE(endpoint_.steps, 100'000);
  EXPECT_EQ(in, 5);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

TEST_F(One, OfSeveralThatAreCompleteTheLowestIsTaken) {
  FakeRequest& second = endpoint_.request(end_, 0);
  FakeRequest& last = world_.endpoints[1].request(end_, 0);
  std::array<MPI_Request, 4> requests{MPI_REQUEST_NULL, second.handle(), complete_native(), last.handle()};
  for (const int expected : {1, 2, 3}) {
    int index = never;
    int flag = 1;
    if (expected == 2) {
      EXPECT_EQ(MPI_Testany(4, requests.data(), &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    } else {
      EXPECT_EQ(MPI_Waitany(4, requests.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(index, expected);
  }
  world_.endpoints[1].forget_requests();
}

/// While it lives it counts the calls of PMPI_Test: that is how the MPI is let make progress.
class CountedTests {
 public:
  CountedTests() : next_(interpose::next[entry_]) {
    real_ = reinterpret_cast<Test>(next_);
    calls = 0;
    interpose::next[entry_] = reinterpret_cast<void*>(count);
  }
  CountedTests(const CountedTests&) = delete;
  CountedTests& operator=(const CountedTests&) = delete;
  ~CountedTests() { interpose::next[entry_] = next_; }

  static inline int calls = 0;

 private:
  using Test = int (*)(MPI_Request*, int*, MPI_Status*);

  static int count(MPI_Request* request, int* flag, MPI_Status* status) {
    ++calls;
    return real_(request, flag, status);
  }
  static std::size_t entry() {
    const std::span names(interpose::names, static_cast<std::size_t>(interpose::functions));
    const auto found = std::ranges::find(names, "MPI_Test", [](const char* name) { return std::string_view(name); });
    return 2 * static_cast<std::size_t>(found - names.begin()) + 1;
  }

  static inline Test real_ = nullptr;
  std::size_t entry_ = entry();
  void* next_;
};

TEST_F(One, TheMpiMakesProgressThoughALowerRequestIsAlwaysComplete) {
  FakeRequest& greedy = endpoint_.request(end_, 0, true);
  std::array<MPI_Request, 2> requests{greedy.handle(), complete_native()};
  const CountedTests tests;
  for (int turn = 0; turn < 100; ++turn) {
    int index = never;
    MPI_Start(requests.data());
    EXPECT_EQ(MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(index, 0);
  }
  EXPECT_GE(CountedTests::calls, 3);
  EXPECT_EQ(queries, 0);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace
}  // namespace raddle::endpoints
