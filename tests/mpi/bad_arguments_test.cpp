// SPDX-License-Identifier: BSD-3-Clause
// Arguments that MPIs refuse: endpoints refuse them as well. All ranks give the same bad ones.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "mpi/own_endpoints.hpp"
#include "mpi/refusals.hpp"
#include "platform/mpi_quirks.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::each;
using raddle::testing::Endpoints;
using raddle::testing::rank_in;
using raddle::testing::size_of;

TEST(BadArguments, EveryFunctionRefusesEveryResultAtTheNullAddress) {
  Endpoints endpoints(1);
  MPI_Comm comm = endpoints[0];
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);  // errors of groups
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int me = rank_in(comm);
  int number = 7;
  MPI_Request message_request = MPI_REQUEST_NULL;
  raddle::interpose::Handles given{comm,         MPI_REQUEST_NULL, MPI_MESSAGE_NULL,
                                   MPI_WIN_NULL, MPI_FILE_NULL,    MPI_GROUP_NULL};
  MPI_Comm_group(comm, &given.group);
  MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &given.window);
  MPI_Win_set_errhandler(given.window, MPI_ERRORS_RETURN);
  int job = getpid();
  MPI_Bcast(&job, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const std::string name = testing::TempDir() + "bad_arguments_test." + std::to_string(job);
  const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  MPI_File_open(comm, name.c_str(), mode, MPI_INFO_NULL, &given.file);
  MPI_Isend(&number, 1, MPI_INT, me, 1, comm, &message_request);
  MPI_Mprobe(me, 1, comm, &given.message, MPI_STATUS_IGNORE);
  MPI_Irecv(&number, 1, MPI_INT, me, 2, comm, &given.request);
#ifdef MPI_SESSION_NULL
  raddle::endpoints::Rank rank;
  rank.everyone = raddle::endpoints::find<raddle::endpoints::Kind::communicator>(comm);
  raddle::endpoints::adopted = &rank;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &given.session);
  raddle::endpoints::adopted = nullptr;
#endif
  const auto& all = raddle::interpose::missing_results();
  ASSERT_GT(all.size(), 160U);
  for (const auto& one : all) {
    if (one.status && MPI_STATUS_IGNORE == nullptr) continue;
    const int code = one.call(given);
    EXPECT_EQ(class_of(code), MPI_ERR_ARG) << one.name << ", " << one.parameter;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    EXPECT_NE(std::string(text.data()).find(one.parameter), std::string::npos) << one.name << ": " << text.data();
  }
  // Nothing has happened to any of them.
#ifdef MPI_SESSION_NULL
  EXPECT_EQ(MPI_Session_finalize(&given.session), MPI_SUCCESS);
#endif
  EXPECT_EQ(MPI_Win_free(&given.window), MPI_SUCCESS);
  EXPECT_EQ(MPI_File_close(&given.file), MPI_SUCCESS);
  EXPECT_EQ(MPI_Mrecv(&number, 1, MPI_INT, &given.message, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Send(&number, 1, MPI_INT, me, 2, comm), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&given.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&message_request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(MPI_Group_free(&given.group), MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

TEST(BadArguments, EndpointsNeedRoomForTheirHandles) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT_EQ(class_of(MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, nullptr)), MPI_ERR_ARG);
  EXPECT_EQ(MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 0, MPI_INFO_NULL, nullptr), MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/// What comes of a call that gives one buffer for both.
void expect_same_buffer(int code, const char* call) {
  if (raddle::platform::quirks().refuses_same_buffer)
    EXPECT_EQ(class_of(code), MPI_ERR_BUFFER) << call;
  else
    EXPECT_EQ(code, MPI_SUCCESS) << call;
}

TEST(BadArguments, ABufferIsNotSentAndReceivedIntoAtOnce) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto size = static_cast<std::size_t>(size_of(comm));
    std::vector<int> v(size * 4, 1);
    const std::vector<int> counts(size, 1);
    std::vector<int> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = static_cast<int>(i);
    const std::vector<MPI_Datatype> types(size, MPI_INT);
    const std::vector<int> byte_places(size, 0);
    int* const own = v.data() + rank_in(comm);
    const int* const c = counts.data();
    const int* const p = places.data();
    expect_same_buffer(MPI_Allreduce(v.data(), v.data(), 1, MPI_INT, MPI_SUM, comm), "Allreduce");
    expect_same_buffer(MPI_Allreduce(v.data(), v.data(), 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS
                           ? MPI_Scan(v.data(), v.data(), 1, MPI_INT, MPI_SUM, comm)
                           : MPI_ERR_OTHER,
                       "Scan");
    expect_same_buffer(MPI_Exscan(v.data(), v.data(), 1, MPI_INT, MPI_SUM, comm), "Exscan");
    expect_same_buffer(MPI_Reduce_scatter(v.data(), v.data(), c, MPI_INT, MPI_SUM, comm), "Reduce_scatter");
    expect_same_buffer(MPI_Reduce_scatter_block(v.data(), v.data(), 1, MPI_INT, MPI_SUM, comm), "Reduce_scatter_block");
    expect_same_buffer(MPI_Alltoall(v.data(), 1, MPI_INT, v.data(), 1, MPI_INT, comm), "Alltoall");
    expect_same_buffer(MPI_Alltoallv(v.data(), c, p, MPI_INT, v.data(), c, p, MPI_INT, comm), "Alltoallv");
    expect_same_buffer(MPI_Alltoallw(v.data(), c, byte_places.data(), types.data(), v.data(), c, byte_places.data(),
                                     types.data(), comm),
                       "Alltoallw");
    expect_same_buffer(MPI_Allgather(own, 1, MPI_INT, v.data(), 1, MPI_INT, comm), "Allgather");
    expect_same_buffer(MPI_Allgatherv(own, 1, MPI_INT, v.data(), c, p, MPI_INT, comm), "Allgatherv");
    MPI_Request request = MPI_REQUEST_NULL;
    expect_same_buffer(MPI_Iallreduce(v.data(), v.data(), 1, MPI_INT, MPI_SUM, comm, &request), "Iallreduce");
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    if (!raddle::platform::quirks().refuses_same_buffer) return;
    if (size_of(comm) > 0 && rank_in(comm) == 0) {  // the others would wait, or send to who does not receive
      EXPECT_EQ(class_of(MPI_Reduce(v.data(), v.data(), 1, MPI_INT, MPI_SUM, 0, comm)), MPI_ERR_BUFFER);
      EXPECT_EQ(class_of(MPI_Gather(v.data(), 1, MPI_INT, v.data(), 1, MPI_INT, 0, comm)), MPI_ERR_BUFFER);
      EXPECT_EQ(class_of(MPI_Gatherv(v.data(), 1, MPI_INT, v.data(), c, p, MPI_INT, 0, comm)), MPI_ERR_BUFFER);
      EXPECT_EQ(class_of(MPI_Scatter(v.data(), 1, MPI_INT, v.data(), 1, MPI_INT, 0, comm)), MPI_ERR_BUFFER);
      EXPECT_EQ(class_of(MPI_Scatterv(v.data(), c, p, MPI_INT, v.data(), 1, MPI_INT, 0, comm)), MPI_ERR_BUFFER);
    }
  });
}

TEST(BadArguments, ArraysOfCountsAreThere) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto size = static_cast<std::size_t>(size_of(comm));
    std::vector<int> out(size);
    std::vector<int> in(size);
    const std::vector<int> c(size, 1);
    const int* const none = nullptr;
    EXPECT_EQ(class_of(MPI_Reduce_scatter(out.data(), in.data(), none, MPI_INT, MPI_SUM, comm)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_Allgatherv(out.data(), 1, MPI_INT, in.data(), none, c.data(), MPI_INT, comm)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_Allgatherv(out.data(), 1, MPI_INT, in.data(), c.data(), none, MPI_INT, comm)), MPI_ERR_ARG);
    EXPECT_EQ(
        class_of(MPI_Alltoallv(out.data(), none, c.data(), MPI_INT, in.data(), c.data(), c.data(), MPI_INT, comm)),
        MPI_ERR_ARG);
    EXPECT_EQ(
        class_of(MPI_Alltoallw(out.data(), c.data(), c.data(), nullptr, in.data(), c.data(), c.data(), nullptr, comm)),
        MPI_ERR_ARG);
  });
}

TEST(BadArguments, WhatIsReceivedInPlaceOrNowhereIsRefused) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    std::vector<int> v(static_cast<std::size_t>(size_of(comm)));
    const int moves = raddle::platform::quirks().arg_for_in_place ? MPI_ERR_ARG : MPI_ERR_BUFFER;
    EXPECT_EQ(class_of(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm)), moves);
    EXPECT_EQ(class_of(MPI_Allgather(v.data(), 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm)), moves);
    EXPECT_EQ(class_of(MPI_Alltoall(v.data(), 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm)), moves);
    EXPECT_EQ(class_of(MPI_Allreduce(v.data(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm)), MPI_ERR_BUFFER);
    EXPECT_EQ(class_of(MPI_Exscan(v.data(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm)), MPI_ERR_BUFFER);
    EXPECT_EQ(class_of(MPI_Allreduce(v.data(), nullptr, 1, MPI_INT, MPI_SUM, comm)), MPI_ERR_BUFFER);
    EXPECT_EQ(class_of(MPI_Scan(v.data(), nullptr, 1, MPI_INT, MPI_SUM, comm)), MPI_ERR_BUFFER);
  });
}

TEST(BadArguments, NothingIsOfAnyDatatypeWhereTheMpiSaysSo) {
  Endpoints endpoints(2);
  each(endpoints, [](MPI_Comm comm, int) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int me = rank_in(comm);
    const int expected = raddle::platform::quirks().nothing_has_any_type ? MPI_SUCCESS : MPI_ERR_TYPE;
    int v[8] = {};
    MPI_Status status;
    EXPECT_EQ(class_of(MPI_Sendrecv(v, 0, MPI_DATATYPE_NULL, me, 1, v + 1, 0, MPI_DATATYPE_NULL, me, 1, comm, &status)),
              expected);
    EXPECT_EQ(class_of(MPI_Bcast(v, 0, MPI_DATATYPE_NULL, 0, comm)), expected);
    EXPECT_EQ(class_of(MPI_Bcast(v, 1, MPI_DATATYPE_NULL, 0, comm)), MPI_ERR_TYPE);
    EXPECT_EQ(class_of(MPI_Allgather(v, 0, MPI_DATATYPE_NULL, v + 4, 0, MPI_DATATYPE_NULL, comm)), MPI_ERR_TYPE);
    EXPECT_EQ(class_of(MPI_Alltoall(v, 0, MPI_DATATYPE_NULL, v + 4, 0, MPI_DATATYPE_NULL, comm)), MPI_ERR_TYPE);
    EXPECT_EQ(class_of(MPI_Scan(v, v + 4, 0, MPI_DATATYPE_NULL, MPI_SUM, comm)), MPI_ERR_TYPE);
  });
}

TEST(BadArguments, FunctionsOfRaddleNeedRoomForTheirResults) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  EXPECT_EQ(class_of(Raddle_Err_endpoints(nullptr)), MPI_ERR_ARG);
  EXPECT_EQ(class_of(Raddle_Rank_adopted(nullptr)), MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

TEST(BadArguments, HintsOfASplitAreThoseThatTheMpiKeeps) {
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "mpi_assert_no_any_tag", "true");
  const auto told = [](MPI_Comm comm) {
    MPI_Info got = MPI_INFO_NULL;
    MPI_Comm_get_info(comm, &got);
    std::array<char, 64> value{};
    int flag = 0;
    MPI_Info_get(got, "mpi_assert_no_any_tag", 63, value.data(), &flag);
    MPI_Info_free(&got);
    return flag != 0 ? std::string(value.data()) : std::string("not there");
  };
  MPI_Comm native = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, hints, &native);
  const std::string expected = told(native);
  MPI_Comm_free(&native);
  Endpoints endpoints(2);
  each(endpoints, [&](MPI_Comm comm, int) {
    MPI_Comm made = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, hints, &made), MPI_SUCCESS);
    EXPECT_EQ(told(made), expected);
    MPI_Comm_free(&made);
    ASSERT_EQ(
        MPI_Dist_graph_create_adjacent(comm, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED, hints, 0, &made),
        MPI_SUCCESS);
    EXPECT_EQ(told(made), expected);
    MPI_Comm_free(&made);
  });
  MPI_Info_free(&hints);
}

}  // namespace
