// SPDX-License-Identifier: BSD-3-Clause
// What the calls refuse, and how.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <string>

#include "mpi/shape.hpp"
#include "mpi/sparse_ranks.hpp"

namespace raddle::testing {
namespace {

/// The arguments of a call. Those of this test are good but for one.
struct Arguments {
  int count = 2;
  std::array<int, 2> dests{0, 0};
  std::array<MPI_Count, 3> offsets{0, 1, 2};
  MPI_Datatype sendtype = MPI_INT;
  MPI_Datatype recvtype = MPI_INT;
  MPI_Info info = MPI_INFO_NULL;
};

int never(void*, int, const void*, MPI_Count) {
  ADD_FAILURE() << "called";
  return MPI_SUCCESS;
}
int never_asked(void*, int, const void*, MPI_Count, Raddle_Sparse_answer) {
  ADD_FAILURE() << "asked";
  return MPI_SUCCESS;
}

/// All calls answer with errors of this class, and make nothing. @returns what the first says in words
std::string expect_refused(MPI_Comm comm, const Arguments& given, int error_class) {
  const std::array<int, 2> data{};
  Raddle_Sparse_messages received{};
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = Raddle_Sparse_exchange(data.data(), given.count, given.dests.data(), given.offsets.data(),
                                          given.sendtype, given.recvtype, given.info, comm, &received);
  EXPECT_EQ(class_of(code), error_class) << text_of(code);
  EXPECT_EQ(class_of(Raddle_Sparse_iexchange(data.data(), given.count, given.dests.data(), given.offsets.data(),
                                             given.sendtype, given.recvtype, given.info, comm, &received, &request)),
            error_class);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(
      class_of(Raddle_Sparse_exchange_init(data.data(), given.count, given.dests.data(), given.offsets.data(),
                                           given.sendtype, given.recvtype, given.info, comm, &received, &request)),
      error_class);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(class_of(Raddle_Sparse_exchange_each(data.data(), given.count, given.dests.data(), given.offsets.data(),
                                                 given.sendtype, given.recvtype, never, nullptr, given.info, comm)),
            error_class);
  EXPECT_EQ(
      class_of(Raddle_Sparse_ask(data.data(), given.count, given.dests.data(), given.offsets.data(), given.sendtype,
                                 given.recvtype, never_asked, nullptr, given.info, comm, &received)),
      error_class);
  EXPECT_EQ(received.count, 0);
  EXPECT_EQ(Raddle_Sparse_free(&received), MPI_SUCCESS);
  return text_of(code);
}

class SparseErrors : public Sparse {};

TEST_P(SparseErrors, OfBadArguments) {
  on_each_rank([](const Place& place) {
    expect_refused(place.comm, {.count = -1}, MPI_ERR_COUNT);
    expect_refused(place.comm, {.offsets = {0, 2, 1}}, MPI_ERR_COUNT);
    expect_refused(place.comm, {.offsets = {1, 0, 2}}, MPI_ERR_COUNT);
    expect_refused(place.comm, {.dests = {0, place.size}}, MPI_ERR_RANK);
    expect_refused(place.comm, {.dests = {-40, 0}}, MPI_ERR_RANK);
    expect_refused(place.comm, {.dests = {MPI_ANY_SOURCE, 0}}, MPI_ERR_RANK);
    expect_refused(place.comm, {.sendtype = MPI_DATATYPE_NULL}, MPI_ERR_TYPE);
    expect_refused(place.comm, {.recvtype = MPI_DATATYPE_NULL}, MPI_ERR_TYPE);
    // None of this has counted: the next ones match each other.
    expect_exchange(place, some(place.size, 4));
  });
}

TEST_P(SparseErrors, OfDatatypesThatAreNotCommitted) {
  on_each_rank([](const Place& place) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    expect_refused(place.comm, {.sendtype = pair}, MPI_ERR_TYPE);
    expect_refused(place.comm, {.recvtype = pair}, MPI_ERR_TYPE);
    MPI_Type_free(&pair);
    expect_exchange(place, some(place.size, 5));
  });
}

TEST_P(SparseErrors, OfBadHints) {
  on_each_rank([](const Place& place) {
    const auto refused = [&place](const char* key, const char* value, int error_class,
                                  std::initializer_list<const char*> valid) {
      SCOPED_TRACE(::testing::Message() << key << " = " << value);
      const Hints hints{{key, value}};
      const std::string told = expect_refused(place.comm, {.info = hints}, error_class);
      for (const char* const name : valid) EXPECT_NE(told.find(name), std::string::npos) << name << " in: " << told;
    };
    for (const char* value : {"best", "NBX", "no"}) {
      refused("raddle_sparse_algorithm", value, MPI_ERR_INFO_VALUE,
              {"auto", "alltoallv", "pex", "pcx", "rsx", "nbx", "nary", "locality", "shared"});
    }
    for (const char* value : {"1", "65", "-4", "two", "4.0"})
      refused("raddle_sparse_radix", value, MPI_ERR_INFO_VALUE, {"raddle_sparse_radix", "2", "64"});
    for (const char* value : {"1", "yes", "True"})
      refused("raddle_sparse_sorted", value, MPI_ERR_INFO_VALUE, {"raddle_sparse_sorted", "true", "false"});
    refused("raddle_sparse_colour", "red", MPI_ERR_INFO_KEY,
            {"raddle_sparse_colour", "raddle_sparse_algorithm", "raddle_sparse_radix", "raddle_sparse_sorted"});
    // A key of other calls is none of these.
    refused("raddle_part_policy", "auto", MPI_ERR_INFO_KEY, {"raddle_part_policy", "raddle_sparse_algorithm"});
    const Hints others{{"mpi_assert_no_any_tag", "true"}, {"colour", "red"}, {"raddle_sparse_sorted", "true"}};
    expect_exchange(place, some(place.size, 6), others);
  });
}

TEST_P(SparseErrors, OfMessagesThatAreNoWholeElements) {
  on_each_rank([](const Place& place) {
    const Shape pair = Shape::contiguous(2);
    for (const char* const algorithm : algorithms(GetParam())) {
      SCOPED_TRACE(algorithm);
      const Hints hints{{"raddle_sparse_algorithm", algorithm}};
      for (int round = 0; round < 3; ++round) {
        // Rank 0 sends what its left neighbour cannot count; all others send pairs.
        const std::vector<int> data(8, place.rank);
        const std::vector<int> dests{place.right, place.left};
        const std::vector<MPI_Count> offsets{0, 2, place.rank == 0 && round != 1 ? 5 : 6};
        Raddle_Sparse_messages in{};
        const int code = Raddle_Sparse_exchange(data.data(), 2, dests.data(), offsets.data(), MPI_INT, pair.type(),
                                                hints, place.comm, &in);
        const bool mine = round != 1 && place.rank == place.size - 1;
        EXPECT_EQ(class_of(code), mine ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        if (code == MPI_SUCCESS) {
          EXPECT_EQ(in.count, 2);
        }
        EXPECT_EQ(Raddle_Sparse_free(&in), MPI_SUCCESS);
        // The same without waiting: the request ends with it.
        MPI_Request request = MPI_REQUEST_NULL;
        EXPECT_EQ(Raddle_Sparse_iexchange(data.data(), 2, dests.data(), offsets.data(), MPI_INT, pair.type(), hints,
                                          place.comm, &in, &request),
                  MPI_SUCCESS);
        EXPECT_EQ(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)), mine ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        EXPECT_EQ(Raddle_Sparse_free(&in), MPI_SUCCESS);
        expect_exchange(place, some(place.size, round), hints);
      }
    }
  });
}

/// What an error handler of this thread's was given.
thread_local int heard;
thread_local MPI_Comm heard_of;
void listen(MPI_Comm* comm, int* code, ...) {
  heard = class_of(*code);
  heard_of = *comm;
}

/// Nobody hears of errors but the error handler of the communicator that the call was given.
TEST_P(SparseErrors, GoToTheErrorHandlerOfTheCommunicator) {
  on_each_rank([](const Place& place) {
    heard = 0;
    heard_of = MPI_COMM_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(listen, &handler);
    MPI_Comm_set_errhandler(place.comm, handler);
    Raddle_Sparse_messages in{};
    const int dest = place.size;
    const std::array<MPI_Count, 2> offsets{0, 0};
    EXPECT_EQ(class_of(Raddle_Sparse_exchange(nullptr, 1, &dest, offsets.data(), MPI_INT, MPI_INT, MPI_INFO_NULL,
                                              place.comm, &in)),
              MPI_ERR_RANK);
    EXPECT_EQ(heard, MPI_ERR_RANK);
    EXPECT_EQ(heard_of, place.comm);
    MPI_Comm_set_errhandler(place.comm, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
  });
}

TEST_P(SparseErrors, OfCommunicatorsThatAreNone) {
  if (GetParam() == Ranks::endpoints) GTEST_SKIP() << "nothing of it is theirs";
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect_refused(MPI_COMM_NULL, {}, MPI_ERR_COMM);
  EXPECT_EQ(class_of(Raddle_Sparse_attach(MPI_COMM_NULL)), MPI_ERR_COMM);
  const char* name = nullptr;
  EXPECT_EQ(class_of(Raddle_Sparse_algorithm(MPI_COMM_NULL, &name)), MPI_ERR_COMM);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

TEST_P(SparseErrors, OfIntercommunicators) {
  if (GetParam() == Ranks::endpoints) GTEST_SKIP() << "there are none of them";
  const Place world(MPI_COMM_WORLD);
  if (world.size == 1) GTEST_SKIP() << "nobody is on the other side";
  const int side = world.rank == 0 ? 0 : 1;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - side, 3, &both);
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
  expect_refused(both, {}, MPI_ERR_COMM);
  EXPECT_EQ(class_of(Raddle_Sparse_attach(both)), MPI_ERR_COMM);
  MPI_Comm_free(&both);
  MPI_Comm_free(&own);
}

INSTANTIATE_TEST_SUITE_P(Processes, SparseErrors, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, SparseErrors, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
