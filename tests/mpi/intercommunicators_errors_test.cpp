// SPDX-License-Identifier: BSD-3-Clause
// What intercommunicators of endpoints refuse, and as which error (MPI-4.1 sections 4.2.1, 6.2.2, 6.11, 7.6, 8.5
// and 12.2). All ranks run all tests.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "mpi/intercommunicators.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::testing::Between;
using raddle::testing::class_of;
using raddle::testing::cuts;
using raddle::testing::exchange;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::split;
using raddle::testing::text_of;
using raddle::testing::with_endpoints;

constexpr int each_process = 3;

TEST(IntercommunicatorsErrors, FunctionsOfOneGroupAreErrors) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    const Between between(comm, cuts().front());
    MPI_Comm inter = between.comm;
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    int one = 1;
    int other = 2;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    void* base = nullptr;
    MPI_Comm_group(inter, &group);
    EXPECT_EQ(class_of(MPI_Scan(&one, &other, 1, MPI_INT, MPI_SUM, inter)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Exscan(&one, &other, 1, MPI_INT, MPI_SUM, inter)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Iscan(&one, &other, 1, MPI_INT, MPI_SUM, inter, &request)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Neighbor_allgather(&one, 1, MPI_INT, &other, 1, MPI_INT, inter)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Cart_create(inter, 1, &one, &other, 0, &made)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Graph_create(inter, 0, nullptr, nullptr, 0, &made)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Dist_graph_create_adjacent(inter, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED,
                                                      MPI_INFO_NULL, 0, &made)),
              MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Comm_create_group(inter, group, 0, &made)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Win_create(&one, sizeof one, 1, MPI_INFO_NULL, inter, &window)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Win_allocate(4, 1, MPI_INFO_NULL, inter, static_cast<void*>(&base), &window)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Psend_init(&one, 1, 1, MPI_INT, 0, 0, inter, MPI_INFO_NULL, &request)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Precv_init(&one, 1, 1, MPI_INT, 0, 0, inter, MPI_INFO_NULL, &request)), MPI_ERR_COMM);
    MPI_Group_free(&group);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    EXPECT_EQ(class_of(MPI_Comm_remote_size(comm, &one)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Comm_remote_group(comm, &group)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Intercomm_merge(comm, 0, &made)), MPI_ERR_COMM);
    exchange(inter, between.me, between.remote);
  });
}

TEST(IntercommunicatorsErrors, RanksAreThoseOfTheOtherGroup) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    const Between between(comm, [](int rank, int) { return rank == 0; });
    MPI_Comm inter = between.comm;
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    const int none = between.remote_size();
    int value = 1;
    int room = 2;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(class_of(MPI_Send(&value, 1, MPI_INT, none, 0, inter)), MPI_ERR_RANK);
    EXPECT_EQ(class_of(MPI_Isend(&value, 1, MPI_INT, none, 0, inter, &request)), MPI_ERR_RANK);
    EXPECT_EQ(class_of(MPI_Irecv(&value, 1, MPI_INT, none, 0, inter, &request)), MPI_ERR_RANK);
    EXPECT_EQ(class_of(MPI_Bcast(&value, 1, MPI_INT, none, inter)), MPI_ERR_ROOT);
    EXPECT_EQ(class_of(MPI_Reduce(&value, &room, 1, MPI_INT, MPI_SUM, none, inter)), MPI_ERR_ROOT);
    EXPECT_NE(MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT, MPI_SUM, inter), MPI_SUCCESS);
    EXPECT_NE(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, &room, 1, MPI_INT, inter), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Allreduce(&value, &room, 1, MPI_INT, MPI_OP_NULL, inter)), MPI_ERR_OP);
    exchange(inter, between.me, between.remote);
    EXPECT_EQ(MPI_Barrier(inter), MPI_SUCCESS);
  });
}

TEST(IntercommunicatorsErrors, CallsThatDoNotMatchAreErrors) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    // Between processes they are out of step from then on, and proxies leave it to the MPI.
    if (size_of(comm) > each_process || std::getenv("RADDLE_PROXIES") != nullptr) return;
    const Between between(comm, cuts().front());
    MPI_Comm_set_errhandler(between.comm, MPI_ERRORS_RETURN);
    std::vector<int> room(static_cast<std::size_t>(between.remote_size()));
    const int code = between.in_first ? MPI_Barrier(between.comm)
                                      : MPI_Allgather(&between.me, 1, MPI_INT, room.data(), 1, MPI_INT, between.comm);
    EXPECT_EQ(class_of(code), MPI_ERR_OTHER);
    EXPECT_NE(text_of(code).find("MPI_Allgather"), std::string::npos) << text_of(code);
    EXPECT_NE(text_of(code).find("MPI_Barrier"), std::string::npos) << text_of(code);
  });
}

TEST(IntercommunicatorsErrors, BadArgumentsMakeNone) {
  with_endpoints(each_process, [](MPI_Comm comm) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm own = split(comm, rank_in(comm) % 2, 0);
    MPI_Comm made = comm;
    const int other = 1 - rank_in(comm) % 2;
    EXPECT_EQ(class_of(MPI_Intercomm_create(own, size_of(own), comm, other, 0, &made)), MPI_ERR_RANK);
    EXPECT_EQ(made, MPI_COMM_NULL);
    EXPECT_EQ(class_of(MPI_Intercomm_create(own, 0, comm, size_of(comm), 0, &made)), MPI_ERR_RANK);
    EXPECT_EQ(class_of(MPI_Intercomm_create(own, 0, comm, other, -5, &made)), MPI_ERR_TAG);
    EXPECT_EQ(class_of(MPI_Intercomm_create(own, 0, MPI_COMM_NULL, other, 0, &made)), MPI_ERR_COMM);
    // Groups with ranks in common: each rank is in both.
    EXPECT_EQ(class_of(MPI_Intercomm_create(comm, 0, comm, 0, 0, &made)), MPI_ERR_COMM);
    EXPECT_EQ(class_of(MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 0, 0, &made)), MPI_ERR_UNSUPPORTED_OPERATION);
    ASSERT_EQ(MPI_Intercomm_create(own, 0, comm, other, 0, &made), MPI_SUCCESS);
    MPI_Comm second = comm;
    EXPECT_EQ(class_of(MPI_Intercomm_create(made, 0, comm, other, 0, &second)), MPI_ERR_COMM);
    EXPECT_EQ(second, MPI_COMM_NULL);
    MPI_Comm_free(&made);
    MPI_Comm_free(&own);
  });
}

}  // namespace
