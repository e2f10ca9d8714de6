// SPDX-License-Identifier: BSD-3-Clause
#include "platform/mpi_quirks.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

namespace raddle::platform {
namespace {

constexpr MpiNetwork network{.version = "5.", .device = "ch4:ucx", .variable = "NETMOD", .name = "ucx"};

std::string mpich(const std::string& version, const std::string& devices) {
  return "MPICH Version:      " + version + "\nMPICH ABI:          18:2:6\nMPICH Device:       " + devices +
         "\nMPICH configure:    --with-device=ch4:ofi\n";
}

TEST(MpiNetworks, AreThoseOfTheVersionAndTheFirstDevice) {
  EXPECT_TRUE(uses(mpich("5.0.2", "ch4:ucx ofi"), network, nullptr));
  EXPECT_TRUE(uses(mpich("5.0.2", "ch4:ucx"), network, nullptr));
  EXPECT_FALSE(uses(mpich("5.0.2", "ch4:ofi ucx"), network, nullptr));
  EXPECT_FALSE(uses(mpich("4.0.2", "ch4:ucx"), network, nullptr));
  EXPECT_FALSE(uses(mpich("50.0", "ch4:ucx"), network, nullptr));
  EXPECT_FALSE(uses("Open MPI v5.0.11", network, nullptr));
  EXPECT_FALSE(uses("", network, nullptr));
}

TEST(MpiNetworks, AreThoseThatAreChosen) {
  EXPECT_TRUE(uses(mpich("5.0.2", "ch4:ofi ucx"), network, "ucx"));
  EXPECT_FALSE(uses(mpich("5.0.2", "ch4:ucx ofi"), network, "ofi"));
}

TEST(MpiErrors, AreRaisedWhereTheVersionRaisesThem) {
  EXPECT_EQ(raises(mpich("5.0.2", "ch4:ucx")), Raises::on_self_if_set);
  EXPECT_EQ(raises(mpich("4.2.0", "ch4:ucx")), Raises::on_self_if_set);
  EXPECT_EQ(raises(mpich("4.10", "ch4:ucx")), Raises::on_self_if_set);
  EXPECT_EQ(raises(mpich("4.0.2", "ch4:ucx")), Raises::on_world);
  EXPECT_EQ(raises(mpich("3.4.3", "ch3:nemesis")), Raises::on_world);
  EXPECT_EQ(raises("Open MPI v5.0.11, package: Open MPI"), Raises::on_world);
  EXPECT_EQ(raises("Intel(R) MPI Library 2021.18 for Linux* OS"), Raises::on_world);
  EXPECT_EQ(raises("Another MPI 1.2"), Raises::on_self);
}

/// The fault itself, so that the table is looked at again when it has gone, or where another MPI has it: a message from
/// another node that has come before its receive, which names no source.
TEST(MpiNetworks, MissMessagesWhereTheTableSaysSo) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) GTEST_SKIP() << "of two processes";
  constexpr int tag = 1;
  constexpr int later_tag = 2;
  int bytes = 5;
  if (rank == 1) {
    MPI_Send(&bytes, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Send(&bytes, 1, MPI_INT, 0, later_tag, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  // What was sent before it has come then.
  MPI_Probe(1, later_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&bytes, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
  int came = 0;
  for (int look = 0; look < 1000 && came == 0; ++look) MPI_Test(&request, &came, MPI_STATUS_IGNORE);
  EXPECT_EQ(came == 0, misses_any_source());
  if (came == 0) MPI_Request_free(&request);  // the message is lost: nothing will come
  MPI_Recv(&bytes, 1, MPI_INT, 1, later_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace raddle::platform
