// SPDX-License-Identifier: BSD-3-Clause
// Reductions of so much data that each rank does a share: long_collectives_test.cpp has the rest.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>

#include "long_collectives.hpp"

namespace {

using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::of_a_mib::count;
using raddle::testing::of_a_mib::Numbers;
using raddle::testing::of_a_mib::numbers;
using raddle::testing::of_a_mib::on_each;
using raddle::testing::of_a_mib::Parts;
using raddle::testing::of_a_mib::sums;

TEST(LongCollectives, Allreduce) {
  on_each([](MPI_Comm comm) {
    const Numbers in = numbers(rank_in(comm));
    Numbers out(count);
    EXPECT_EQ(MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_EQ(out, sums(size_of(comm) - 1));
    EXPECT_EQ(in, numbers(rank_in(comm)));
  });
}

TEST(LongCollectives, AllreduceInPlace) {
  on_each([](MPI_Comm comm) {
    Numbers both = numbers(rank_in(comm));
    EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, both.data(), count, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_EQ(both, sums(size_of(comm) - 1));
  });
}

TEST(LongCollectives, AllreduceWithAnOperatorOfTheProgram) {
  on_each([](MPI_Comm comm) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(
        [](void* left, void* right, int* length, MPI_Datatype*) {
          for (int i = 0; i < *length; ++i) static_cast<int*>(right)[i] += static_cast<const int*>(left)[i];
        },
        0, &op);
    const Numbers in = numbers(rank_in(comm));
    Numbers out(count);
    EXPECT_EQ(MPI_Allreduce(in.data(), out.data(), count, MPI_INT, op, comm), MPI_SUCCESS);
    EXPECT_EQ(out, sums(size_of(comm) - 1));
    MPI_Op_free(&op);
  });
}

TEST(LongCollectives, ReduceToEachRank) {
  on_each([](MPI_Comm comm) {
    for (int root = 0; root < size_of(comm); ++root) {
      const bool is_root = rank_in(comm) == root;
      Numbers in = numbers(rank_in(comm));
      Numbers out(is_root ? count : 0);
      EXPECT_EQ(MPI_Reduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, root, comm), MPI_SUCCESS);
      if (is_root) {
        EXPECT_EQ(out, sums(size_of(comm) - 1));
      }
      EXPECT_EQ(MPI_Reduce(is_root ? MPI_IN_PLACE : in.data(), is_root ? in.data() : nullptr, count, MPI_INT, MPI_SUM,
                           root, comm),
                MPI_SUCCESS);
      EXPECT_EQ(in, is_root ? sums(size_of(comm) - 1) : numbers(rank_in(comm)));
    }
  });
}

TEST(LongCollectives, ReduceScatter) {
  on_each([](MPI_Comm comm) {
    const auto me = static_cast<std::size_t>(rank_in(comm));
    const Parts parts(size_of(comm));
    const Numbers all = sums(size_of(comm) - 1, parts.total);
    const auto first = all.begin() + parts.places[me];
    Numbers in = numbers(rank_in(comm), parts.total);
    Numbers out(static_cast<std::size_t>(parts.counts[me]));
    EXPECT_EQ(MPI_Reduce_scatter(in.data(), out.data(), parts.counts.data(), MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), first));
    EXPECT_EQ(MPI_Reduce_scatter(MPI_IN_PLACE, in.data(), parts.counts.data(), MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), in.begin()));
  });
}

TEST(LongCollectives, Scans) {
  on_each([](MPI_Comm comm) {
    Numbers both = numbers(rank_in(comm));
    Numbers out(count);
    EXPECT_EQ(MPI_Scan(both.data(), out.data(), count, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_EQ(out, sums(rank_in(comm)));
    EXPECT_EQ(MPI_Exscan(MPI_IN_PLACE, both.data(), count, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    if (rank_in(comm) > 0) {
      EXPECT_EQ(both, sums(rank_in(comm) - 1));
    }
  });
}

}  // namespace
