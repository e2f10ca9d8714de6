// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>

#include "endpoints/collectives/node_meeting.hpp"

namespace raddle::endpoints::collectives {
namespace {

using Kind = Call::Kind;

TEST(Call, IsInItsWord) {
  const Call call{.kind = Kind::reduce, .op = 15, .root = 16383, .rounds = true, .bytes = std::uint64_t{1} << 39U};
  const Call again = Call::of(call.word());
  EXPECT_EQ(again.kind, Kind::reduce);
  EXPECT_EQ(again.op, 15U);
  EXPECT_EQ(again.root, 16383);
  EXPECT_TRUE(again.rounds);
  EXPECT_FALSE(again.apart);
  EXPECT_EQ(again.bytes, std::uint64_t{1} << 39U);
}

TEST(Call, DiffersFirstInWhatItIs) {
  const Call bcast{.kind = Kind::bcast, .root = 1, .bytes = 8};
  EXPECT_EQ(difference(bcast, {.kind = Kind::barrier}), Unlike::call);
  EXPECT_EQ(difference(bcast, {.kind = Kind::bcast, .root = 2, .bytes = 9}), Unlike::root);
  EXPECT_EQ(difference(bcast, {.kind = Kind::bcast, .root = 1, .bytes = 9}), Unlike::less_here);
  EXPECT_EQ(difference(bcast, {.kind = Kind::bcast, .root = 1, .bytes = 7}), Unlike::more_here);
  const Call sum{.kind = Kind::scan, .op = 3, .bytes = 8};
  EXPECT_EQ(difference(sum, {.kind = Kind::scan, .op = 1, .bytes = 9}), Unlike::op);
}

TEST(Call, StaysInStepWhereBothTakeTheSameNumbers) {
  const Call barrier{.kind = Kind::barrier};
  const Call rounds{.kind = Kind::allreduce, .op = 3, .rounds = true, .bytes = 1000000};
  EXPECT_TRUE(in_step(barrier, {.kind = Kind::bcast, .bytes = 4}));
  EXPECT_FALSE(in_step(barrier, rounds));
  EXPECT_TRUE(in_step(rounds, {.kind = Kind::allreduce, .op = 1, .rounds = true, .bytes = 1000000}));
  EXPECT_FALSE(in_step(rounds, {.kind = Kind::allreduce, .op = 3, .rounds = true, .bytes = 2000000}));
  EXPECT_FALSE(in_step(barrier, {.kind = Kind::barrier, .apart = true}));
}

TEST(Call, OfABroadcastMayDifferInLengthAcrossProcesses) {
  const Call bcast{.kind = Kind::bcast, .root = 1, .bytes = 8};
  EXPECT_TRUE(alike_but_length(bcast.word(), Call{.kind = Kind::bcast, .root = 1, .bytes = 9}.word()));
  EXPECT_FALSE(alike_but_length(bcast.word(), Call{.kind = Kind::bcast, .root = 2, .bytes = 8}.word()));
  const Call scan{.kind = Kind::scan, .op = 3, .bytes = 8};
  EXPECT_FALSE(alike_but_length(scan.word(), Call{.kind = Kind::scan, .op = 3, .bytes = 9}.word()));
}

TEST(Call, IsNamedWithBothRanks) {
  EXPECT_EQ(unlike_calls(1, {.kind = Kind::bcast, .root = 2, .bytes = 8}, 0, {.kind = Kind::barrier}),
            "rank 1 calls MPI_Bcast of 8 bytes with root 2, rank 0 MPI_Barrier");
  EXPECT_EQ(
      unlike_calls(1, {.kind = Kind::reduce, .op = 3, .bytes = 4}, 0, {.kind = Kind::scan, .op = 15}),
      "rank 1 calls MPI_Reduce of 4 bytes with root 0 and MPI_SUM, rank 0 MPI_Scan with an operator of the program");
}

TEST(Discord, ConcernsWhatComesFromItsNumberOn) {
  Discord discord;
  EXPECT_FALSE(discord.concerns(~std::uint64_t{0}));
  discord.tell(5, "first");
  discord.tell(3, "second");
  EXPECT_FALSE(discord.concerns(4));
  EXPECT_TRUE(discord.concerns(5));
  EXPECT_EQ(discord.why(), "first");
}

}  // namespace
}  // namespace raddle::endpoints::collectives
