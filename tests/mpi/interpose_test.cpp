// SPDX-License-Identifier: BSD-3-Clause
// The layer with an endpoint that this test registers itself, and that has no engine.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "endpoints/handles/handles.hpp"
#include "interpose/wrapper.hpp"
#include "mpi/error_words.hpp"
#include "mpi/fake_endpoint.hpp"
#include "mpi/refusals.hpp"
#include "raddle/raddle.h"

namespace raddle::interpose {
namespace {

using testing::class_of;
using testing::text_of;

/// A handle that the MPI has never given out: what is made of it must not reach the MPI.
template <typename Handle>
Handle made_up(int number) {
  static std::array<char, 64> place{};
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<Handle>(&place[static_cast<std::size_t>(number)]);
  } else {
    return 0x2ead0000 + number;
  }
}

/// Whether the MPI gives a handle again for the integer that it has made of it. Intel MPI 2021.18.1 with its MPI-5 ABI
/// does not.
#ifdef MPI_ABI_VERSION  // has other functions for it, since its mpi.h is without Fortran
bool communicator_comes_back(MPI_Comm comm) { return MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm; }
bool group_comes_back(MPI_Group group) { return MPI_Group_fromint(MPI_Group_toint(group)) == group; }
#else
bool communicator_comes_back(MPI_Comm comm) { return MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm; }
bool group_comes_back(MPI_Group group) { return MPI_Group_f2c(MPI_Group_c2f(group)) == group; }
#endif

/// An endpoint with a handle of each kind.
class Interpose : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_set_errhandler(given_.communicator, MPI_ERRORS_RETURN);
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})  // of groups: some MPIs raise them on the first
      MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    ASSERT_EQ(MPIX_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &of_window_), MPI_SUCCESS);
    ASSERT_EQ(MPI_Win_create_dynamic(MPI_INFO_NULL, of_window_, &given_.window), MPI_SUCCESS);
    MPI_Win_set_errhandler(given_.window, MPI_ERRORS_RETURN);
    endpoints::insert<Kind::communicator>(given_.communicator, static_cast<endpoints::Endpoint&>(endpoint_));
    endpoints::insert<Kind::request>(given_.request, static_cast<endpoints::Request&>(request_));
    message_ = std::make_unique<endpoints::FakeProbed>(endpoint_);
    given_.message = message_->handle();
    const std::string name = "interpose_test." + std::to_string(getpid());
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    ASSERT_EQ(MPI_File_open(of_window_, name.c_str(), mode, MPI_INFO_NULL, &given_.file), MPI_SUCCESS);
  }
  void TearDown() override {
    endpoints::erase<Kind::request>(made_up<MPI_Request>(1));
    endpoint_.forget_requests();
    message_.reset();
    MPI_Win_free(&given_.window);
    MPI_File_close(&given_.file);
    MPI_Comm_free(&of_window_);
    MPI_Group_free(&given_.group);
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    if (given_.communicator != MPI_COMM_NULL) MPI_Comm_free(&given_.communicator);
    // What is left are the requests that are complete when they begin.
    EXPECT_EQ(endpoints::gate.load() & 127U, static_cast<std::uint32_t>(Kind::request));
    EXPECT_EQ(endpoints::handles<Kind::request>.table.size(), 2U);
  }

  static MPI_Comm own_communicator() {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    return made;
  }
  static MPI_Group own_group() { return endpoints::Group::make({{0, 5}, {0, 7}}, {.asker = {0, 7}}); }

  Handles given_{own_communicator(), made_up<MPI_Request>(1), MPI_MESSAGE_NULL,
                 MPI_WIN_NULL,       MPI_FILE_NULL,           own_group()};
  MPI_Comm of_window_ = MPI_COMM_NULL;
  endpoints::FakeEndpoint endpoint_{given_.communicator, 5, 12};
  endpoints::FakeRequest& request_ = endpoint_.request({}, 0);
  std::unique_ptr<endpoints::FakeProbed> message_;
};

TEST_F(Interpose, EveryFunctionWithoutABehaviourRefusesByName) {
  ASSERT_GT(refusals().size(), 1U);
  for (const Refusal& refusal : refusals()) {
    const int code = refusal.call(given_);
    EXPECT_EQ(class_of(code), MPI_ERR_UNSUPPORTED_OPERATION) << refusal.name;
    EXPECT_EQ(text_of(code), "Raddle: " + std::string(refusal.name) + " is not supported on an endpoint");
  }
}

int heard = MPI_SUCCESS;

void listen(MPI_Comm*, int* code, ...) { heard = *code; }

/// One that all MPIs have, and that is for no request of an endpoint.
int call_what_is_refused(Handles& given) {
  for (const Refusal& refusal : refusals()) {
    if (std::string_view(refusal.name) == "MPI_Grequest_complete") return refusal.call(given);
  }
  return MPI_SUCCESS;
}

TEST_F(Interpose, ARefusalIsRaisedOnTheEndpoint) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(listen, &handler);
  MPI_Comm_set_errhandler(given_.communicator, handler);
  heard = MPI_SUCCESS;
  const int code = call_what_is_refused(given_);
  EXPECT_EQ(heard, code);
  EXPECT_EQ(class_of(code), MPI_ERR_UNSUPPORTED_OPERATION);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);  // a group belongs to no communicator
  heard = MPI_SUCCESS;
  const int none = -1;
  MPI_Group some = MPI_GROUP_NULL;
  const int of_group = MPI_Group_incl(given_.group, 1, &none, &some);
  EXPECT_EQ(heard, of_group);
  EXPECT_EQ(class_of(of_group), MPI_ERR_RANK);
  heard = MPI_SUCCESS;
  const int of_request = MPI_Grequest_complete(given_.request);
  EXPECT_EQ(heard, of_request);
  EXPECT_EQ(class_of(heard), MPI_ERR_UNSUPPORTED_OPERATION);
  MPI_Errhandler_free(&handler);
}

/// MPICH leaves its shared memory behind when it aborts; what only this process uses needs no name any more.
void forget_shared_memory() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (const auto at = line.find("/dev/shm/"); at != std::string::npos) unlink(line.substr(at).c_str());
  }
}

// Run by ctest by itself, in one process, since it does not come back.
TEST_F(Interpose, DISABLED_ARefusalEndsAProgramThatTakesErrorsAsFatal) {
  forget_shared_memory();
  MPI_Comm_set_errhandler(given_.communicator, MPI_ERRORS_ARE_FATAL);
  call_what_is_refused(given_);
  std::puts("still here");
}

TEST_F(Interpose, AsksRaddleWhereThereIsABehaviour) {
  int rank = -1;
  int size = -1;
  EXPECT_EQ(MPI_Comm_rank(given_.communicator, &rank), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_size(given_.communicator, &size), MPI_SUCCESS);
  EXPECT_EQ(rank, 5);
  EXPECT_EQ(size, 12);
  rank = -1;
  EXPECT_EQ(PMPI_Comm_rank(given_.communicator, &rank), MPI_SUCCESS);
  EXPECT_EQ(rank, 5);
}

TEST_F(Interpose, LeavesWhatBelongsToARealCommunicatorToTheMpi) {
  EXPECT_EQ(MPI_Comm_set_name(given_.communicator, "endpoint 5"), MPI_SUCCESS);
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  EXPECT_EQ(MPI_Comm_get_name(given_.communicator, name.data(), &length), MPI_SUCCESS);
  EXPECT_STREQ(name.data(), "endpoint 5");
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  int value = 0;
  void* found = nullptr;
  int flag = 0;
  EXPECT_EQ(MPI_Comm_set_attr(given_.communicator, key, &value), MPI_SUCCESS);
  EXPECT_EQ(MPI_Comm_get_attr(given_.communicator, key, static_cast<void*>(&found), &flag), MPI_SUCCESS);
  EXPECT_EQ(found, &value);
  MPI_Comm plain = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &plain);
  EXPECT_EQ(communicator_comes_back(given_.communicator), communicator_comes_back(plain));
  MPI_Comm_free(&plain);
  MPI_Comm_free_keyval(&key);
}

TEST_F(Interpose, NativeHandlesBesideAnEndpointAreTheMpis) {
  int sum = 1;
  int size = 0;
  EXPECT_EQ(MPI_Comm_size(MPI_COMM_WORLD, &size), MPI_SUCCESS);
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT_EQ(sum, size);
  int in = 0;
  const int out = 7;
  std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, requests.data());
  MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
  EXPECT_EQ(MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(in, 7);
}

TEST_F(Interpose, KnowsAGroupOfEndpointsFromTheMpis) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group again = given_.group;
  int size = 0;
  EXPECT_EQ(MPI_Group_size(given_.group, &size), MPI_SUCCESS);
  EXPECT_EQ(size, 2);
  EXPECT_EQ(MPI_Comm_group(MPI_COMM_WORLD, &world), MPI_SUCCESS);
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  EXPECT_EQ(MPI_Group_size(world, &size), MPI_SUCCESS);
  EXPECT_EQ(size, processes);
  EXPECT_EQ(group_comes_back(given_.group), group_comes_back(world));
  const int first = 0;
  EXPECT_EQ(MPI_Group_incl(world, 1, &first, &again), MPI_SUCCESS);
  EXPECT_NE(again, given_.group);
  EXPECT_EQ(MPI_Group_free(&again), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_free(&world), MPI_SUCCESS);
}

TEST_F(Interpose, FindsAnEndpointsRequestAnywhereInAnArray) {
  std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, given_.request};
  EXPECT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(request_.retired, 0);
  EXPECT_EQ(MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(request_.retired, 1);
  EXPECT_EQ(requests[2], MPI_REQUEST_NULL);
}

TEST_F(Interpose, AFreedHandleIsAnEndpointNoLonger) {
  const std::uint64_t before = endpoints::bits(given_.communicator);
  EXPECT_EQ(MPI_Comm_free(&given_.communicator), MPI_SUCCESS);
  EXPECT_EQ(given_.communicator, MPI_COMM_NULL);
  EXPECT_EQ(endpoint_.frees, 1);
  EXPECT_EQ(endpoints::handles<Kind::communicator>.table.find(before), nullptr);
  MPI_Comm again = MPI_COMM_NULL;  // the MPI may give the same handle out
  MPI_Comm_dup(MPI_COMM_SELF, &again);
  EXPECT_EQ(MPI_Barrier(again), MPI_SUCCESS);
  MPI_Comm_free(&again);
}

}  // namespace
}  // namespace raddle::interpose
