// SPDX-License-Identifier: BSD-3-Clause
// How the calls of partitioned communication reach a request, which this test makes itself: no data move.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "endpoints/requests/request.hpp"
#include "interpose/installed_mpi.h"
#include "mpi/error_words.hpp"
#include "mpi/fake_endpoint.hpp"
#include "raddle/raddle.h"

namespace raddle::interpose {
namespace {

using testing::class_of;

constexpr int parts = 8;

/// Notes which partitions are ready: those have arrived, too.
class Noting final : public endpoints::FakeRequest, public endpoints::Partitions {
 public:
  explicit Noting(endpoints::Endpoint& owner) : FakeRequest(owner, {}, endpoints::never, true) { partitions_ = this; }

  int ready(int partition) override {
    if (partition < 0 || partition >= parts) return MPI_ERR_ARG;
    noted.push_back(partition);
    return MPI_SUCCESS;
  }
  int arrived(int partition, bool& flag) override {
    if (partition < 0 || partition >= parts) return MPI_ERR_ARG;
    flag = std::ranges::find(noted, partition) != noted.end();
    return MPI_SUCCESS;
  }
  [[nodiscard]] int messages() const override { return static_cast<int>(noted.size()); }

  std::vector<int> noted;
};

int heard = MPI_SUCCESS;

void listen(MPI_Comm*, int* code, ...) { heard = *code; }

/// The functions, under Raddle's names and under the MPI's.
struct Calls {
  int (*ready)(int, MPI_Request);
  int (*ready_range)(int, int, MPI_Request);
  int (*ready_list)(int, const int*, MPI_Request);
  int (*arrived)(MPI_Request, int, int*);
};

constexpr Calls raddles{Raddle_Pready, Raddle_Pready_range, Raddle_Pready_list, Raddle_Parrived};

/// A template, since an MPI 3.1 has not got them.
template <typename Request>
std::vector<Calls> all_calls() {
  std::vector<Calls> all{raddles};
  if constexpr (requires(Request request) { MPI_Pready(0, request); }) {
    // In some mpi.h's the list is not const.
    all.push_back({[](int at, Request request) { return MPI_Pready(at, request); },
                   [](int low, int high, Request request) { return MPI_Pready_range(low, high, request); },
                   [](int length, const int* list, Request request) {
                     return MPI_Pready_list(length, const_cast<int*>(list), request);
                   },
                   [](Request request, int at, int* flag) { return MPI_Parrived(request, at, flag); }});
  }
  return all;
}

class InterposePartitioned : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_create_errhandler(listen, &handler_);
    MPI_Comm_set_errhandler(comm_, handler_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler_);
    endpoints::insert<endpoints::Kind::communicator>(comm_, static_cast<endpoints::Endpoint&>(endpoint_));
  }
  void TearDown() override {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler_);
    endpoint_.forget_requests();
    MPI_Comm_free(&comm_);
  }

  /// @returns the class of the error that has been raised last, which is that of `code`
  static int raised(int code) {
    EXPECT_EQ(heard, code);
    heard = MPI_SUCCESS;
    return class_of(code);
  }

  static MPI_Comm own_communicator() {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    return made;
  }

  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  MPI_Comm comm_ = own_communicator();
  endpoints::FakeEndpoint endpoint_{comm_, 0, 2};
};

TEST_F(InterposePartitioned, PartitionsAreMadeReadyInTheOrderGiven) {
  for (const Calls& call : all_calls<MPI_Request>()) {
    Noting request(endpoint_);
    EXPECT_EQ(call.ready(5, request.handle()), MPI_SUCCESS);
    EXPECT_EQ(call.ready_range(2, 4, request.handle()), MPI_SUCCESS);
    EXPECT_EQ(call.ready_range(7, 7, request.handle()), MPI_SUCCESS);
    const std::array<int, 3> list{6, 0, 1};
    EXPECT_EQ(call.ready_list(2, list.data(), request.handle()), MPI_SUCCESS);
    EXPECT_EQ(call.ready_list(0, list.data(), request.handle()), MPI_SUCCESS);
    EXPECT_EQ(request.noted, (std::vector<int>{5, 2, 3, 4, 7, 6, 0}));
    for (const int partition : {0, 1, 7}) {
      int flag = -1;
      EXPECT_EQ(call.arrived(request.handle(), partition, &flag), MPI_SUCCESS);
      EXPECT_EQ(flag, partition == 1 ? 0 : 1);
    }
    int messages = -1;
    EXPECT_EQ(Raddle_Partitioned_messages(request.handle(), &messages), MPI_SUCCESS);
    EXPECT_EQ(messages, 7);
  }
}

TEST_F(InterposePartitioned, ErrorsAreRaisedOnTheCommunicatorAndEndTheCall) {
  for (const Calls& call : all_calls<MPI_Request>()) {
    Noting request(endpoint_);
    int flag = -1;
    EXPECT_EQ(raised(call.ready(parts, request.handle())), MPI_ERR_ARG);
    EXPECT_EQ(raised(call.ready_range(6, 9, request.handle())), MPI_ERR_ARG);
    EXPECT_EQ(raised(call.ready_range(3, 2, request.handle())), MPI_ERR_ARG);
    const std::array<int, 3> list{1, -1, 2};
    EXPECT_EQ(raised(call.ready_list(3, list.data(), request.handle())), MPI_ERR_ARG);
    EXPECT_EQ(raised(call.ready_list(-1, list.data(), request.handle())), MPI_ERR_ARG);
    EXPECT_EQ(raised(call.arrived(request.handle(), -1, &flag)), MPI_ERR_ARG);
    EXPECT_EQ(request.noted, (std::vector<int>{6, 7, 1}));
  }
}

TEST_F(InterposePartitioned, OtherRequestsAreRefused) {
  endpoints::FakeRequest& other = endpoint_.request({}, endpoints::never);
  const std::array<int, 1> list{0};
  int answer = -1;
  for (const Calls& call : all_calls<MPI_Request>()) {
    EXPECT_EQ(raised(call.ready(0, other.handle())), MPI_ERR_REQUEST);
    EXPECT_EQ(raised(call.ready_range(0, 1, other.handle())), MPI_ERR_REQUEST);
    EXPECT_EQ(raised(call.ready_list(1, list.data(), other.handle())), MPI_ERR_REQUEST);
    EXPECT_EQ(raised(call.arrived(other.handle(), 0, &answer)), MPI_ERR_REQUEST);
  }
  EXPECT_EQ(raised(Raddle_Partitioned_messages(other.handle(), &answer)), MPI_ERR_REQUEST);
  // The MPI's own, which it may not be asked about by these names.
  EXPECT_EQ(raised(Raddle_Pready(0, MPI_REQUEST_NULL)), MPI_ERR_REQUEST);
  EXPECT_EQ(raised(Raddle_Partitioned_messages(MPI_REQUEST_NULL, &answer)), MPI_ERR_REQUEST);
}

/// MPI-4.1 section 4.2.2. Not every MPI answers that itself.
TEST_F(InterposePartitioned, OfNoRequestAllHasArrived) {
  for (const Calls& call : all_calls<MPI_Request>()) {
    int flag = -1;
    EXPECT_EQ(call.arrived(MPI_REQUEST_NULL, 3, &flag), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
  }
  EXPECT_EQ(heard, MPI_SUCCESS);
}

TEST_F(InterposePartitioned, ACommunicatorThatIsNotAttachedIsNamedInTheError) {
  MPI_Request request = MPI_REQUEST_NULL;
  int data = 0;
  const int send = Raddle_Psend_init(&data, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
  EXPECT_EQ(raised(send), MPI_ERR_COMM);
  EXPECT_EQ(raised(Raddle_Precv_init(&data, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request)),
            MPI_ERR_COMM);
  EXPECT_EQ(raised(Raddle_Psend_init(&data, 1, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_INFO_NULL, &request)),
            MPI_ERR_COMM);
  EXPECT_EQ(raised(Raddle_Partitioned_attach(MPI_COMM_NULL)), MPI_ERR_COMM);
  EXPECT_EQ(Raddle_Partitioned_attach(comm_), MPI_SUCCESS);  // an endpoint's needs none
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(send, text.data(), &length);
  EXPECT_NE(std::string(text.data()).find("Raddle_Partitioned_attach"), std::string::npos);
}

}  // namespace
}  // namespace raddle::interpose
