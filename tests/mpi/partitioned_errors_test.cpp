// SPDX-License-Identifier: BSD-3-Clause
// What the calls refuse, and how.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>

#include "mpi/hints.hpp"
#include "mpi/partitioned_ranks.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

class PartitionedErrors : public Partitioned {};

/// The arguments of a call that makes a request. Those of this test are good but for one.
struct Arguments {
  int partitions = 2;
  MPI_Count count = 1;
  MPI_Datatype type = MPI_INT;
  int peer = 0;
  int tag = 3;
  MPI_Info info = MPI_INFO_NULL;
};

/// Both calls answer with errors of this class, and make nothing.
void expect_refused(const Place& place, const Arguments& given, int error_class) {
  std::array<int, 2> data{};
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(class_of(psend_init(data.data(), given.partitions, given.count, given.type, given.peer, given.tag,
                                place.comm, given.info, &request)),
            error_class);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
  EXPECT_EQ(class_of(precv_init(data.data(), given.partitions, given.count, given.type, given.peer, given.tag,
                                place.comm, given.info, &request)),
            error_class);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_P(PartitionedErrors, OfBadArguments) {
  on_each_rank([](const Place& place) {
    expect_refused(place, {.partitions = -1}, MPI_ERR_ARG);
    expect_refused(place, {.count = -1}, MPI_ERR_COUNT);
    expect_refused(place, {.type = MPI_DATATYPE_NULL}, MPI_ERR_TYPE);
    expect_refused(place, {.peer = place.size}, MPI_ERR_RANK);
    expect_refused(place, {.peer = MPI_ANY_SOURCE}, MPI_ERR_RANK);
    expect_refused(place, {.tag = MPI_ANY_TAG}, MPI_ERR_TAG);
    expect_refused(place, {.tag = -70}, MPI_ERR_TAG);
    // None of this has counted: the next ones match each other.
    exchange(place, {12, 3, 4}, 2, 3);
  });
}

TEST_P(PartitionedErrors, OfBadHints) {
  on_each_rank([](const Place& place) {
    const auto refused = [&place](const char* key, const char* value, int error_class) {
      SCOPED_TRACE(::testing::Message() << key << " = " << value);
      const Hints hints{{key, value}};
      expect_refused(place, {.info = hints}, error_class);
    };
    for (const char* value : {"some", "Auto", "no"}) refused("raddle_part_policy", value, MPI_ERR_INFO_VALUE);
    for (const char* value : {"0", "-1", "4k", "1.5", "x"}) refused("raddle_part_min_bytes", value, MPI_ERR_INFO_VALUE);
    for (const char* value : {"0", "257", "-3", "two"}) refused("raddle_part_max_messages", value, MPI_ERR_INFO_VALUE);
    refused("raddle_part_colour", "red", MPI_ERR_INFO_KEY);
    const Hints others{{"mpi_assert_no_any_tag", "true"}, {"colour", "red"}, {"raddle_part_policy", "fixed"}};
    int data = 0;
    Part send = send_part(place, &data, 1, 1, MPI_INT, 3, others);
    Part receive = receive_part(place, &data, 1, 1, MPI_INT, 3, others);
    EXPECT_NE(send.request, MPI_REQUEST_NULL);
    EXPECT_NE(receive.request, MPI_REQUEST_NULL);
  });
}

TEST_P(PartitionedErrors, OfPartitionsThatAreNone) {
  on_each_rank([](const Place& place) {
    std::array<int, 12> out{};
    std::array<int, 12> in{};
    Part send = send_part(place, out.data(), 4, 3, MPI_INT);
    Part receive = receive_part(place, in.data(), 3, 4, MPI_INT);
    receive.start();
    send.start();
    int flag = -1;
    for (const int partition : {-1, 4, 1 << 30}) {
      EXPECT_EQ(class_of(pready(partition, send.request)), MPI_ERR_ARG);
      EXPECT_EQ(class_of(pready_list(1, &partition, send.request)), MPI_ERR_ARG);
    }
    EXPECT_EQ(class_of(pready_range(-1, -1, send.request)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(pready_range(4, 4, send.request)), MPI_ERR_ARG);
    for (const int partition : {-1, 3}) EXPECT_EQ(class_of(parrived(receive.request, partition, &flag)), MPI_ERR_ARG);
    EXPECT_FALSE(send.test());
    EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
    receive.wait();
    send.wait();
  });
}

TEST_P(PartitionedErrors, OfRequestsThatAreNotInTheStateForIt) {
  on_each_rank([](const Place& place) {
    std::array<int, 12> out{};
    std::array<int, 12> in{};
    Part send = send_part(place, out.data(), 4, 3, MPI_INT);
    Part receive = receive_part(place, in.data(), 3, 4, MPI_INT);
    int flag = -1;
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(class_of(pready(0, send.request)), MPI_ERR_REQUEST) << "inactive";
      EXPECT_EQ(class_of(pready(0, receive.request)), MPI_ERR_REQUEST);
      EXPECT_EQ(class_of(parrived(send.request, 0, &flag)), MPI_ERR_REQUEST);
      EXPECT_TRUE(receive.arrived(2)) << "inactive";
      receive.start();
      send.start();
      EXPECT_EQ(class_of(pready(0, receive.request)), MPI_ERR_REQUEST);
      EXPECT_EQ(class_of(parrived(send.request, 0, &flag)), MPI_ERR_REQUEST);
      EXPECT_EQ(class_of(MPI_Start(&send.request)), MPI_ERR_REQUEST);
      EXPECT_EQ(class_of(MPI_Start(&receive.request)), MPI_ERR_REQUEST);
      out[5] = place.rank + round;
      EXPECT_EQ(pready_range(0, 3, send.request), MPI_SUCCESS);
      receive.wait();
      send.wait();
      EXPECT_EQ(in[5], place.left + round);
    }
  });
}

/// Of Raddle's own names only: what is not Raddle's is handed to the MPI by the others.
TEST_P(PartitionedErrors, OfRequestsThatAreNotPartitioned) {
  if (standard_names) GTEST_SKIP() << "the MPI's own";
  // Where an error is raised that belongs to no communicator.
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  on_each_rank([](const Place& place) {
    int word = 0;
    MPI_Request ordinary = MPI_REQUEST_NULL;
    MPI_Recv_init(&word, 1, MPI_INT, place.left, 0, place.comm, &ordinary);
    for (const MPI_Request request : {MPI_Request{MPI_REQUEST_NULL}, ordinary}) {
      int flag = -1;
      int number = -1;
      const int partition = 0;
      EXPECT_EQ(class_of(pready(0, request)), MPI_ERR_REQUEST);
      EXPECT_EQ(class_of(pready_range(0, 0, request)), MPI_ERR_REQUEST);
      EXPECT_EQ(class_of(pready_list(1, &partition, request)), MPI_ERR_REQUEST);
      if (request == MPI_REQUEST_NULL) {
        EXPECT_EQ(parrived(request, 0, &flag), MPI_SUCCESS);  // MPI-4.1 section 4.2.2
        EXPECT_EQ(flag, 1);
      } else {
        EXPECT_EQ(class_of(parrived(request, 0, &flag)), MPI_ERR_REQUEST);
      }
      EXPECT_EQ(class_of(Raddle_Partitioned_messages(request, &number)), MPI_ERR_REQUEST);
    }
    MPI_Request_free(&ordinary);
  });
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedErrors, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedErrors, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
