// SPDX-License-Identifier: BSD-3-Clause
// How partitions become messages, as hints say.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string_view>

#include "mpi/hints.hpp"
#include "mpi/partitioned_ranks.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

class PartitionedHints : public Partitioned {};

struct Grouping {
  const char* policy;
  const char* min_bytes;
  const char* max_messages;
  int partitions;
  int messages;
};

constexpr int bytes = 1024;  // of a partition
constexpr int each = bytes / static_cast<int>(sizeof(int));

/// Whether data may go straight into the receiver's buffer, without a message.
bool direct() {
  const char* const setting = std::getenv("RADDLE_PART_DIRECT");
  return setting == nullptr || std::string_view(setting) != "0";
}

void expect_messages(const Part& part, int expected) {
  int messages = -1;
  EXPECT_EQ(Raddle_Partitioned_messages(part.request, &messages), MPI_SUCCESS);
  if (direct()) {
    EXPECT_TRUE(messages == expected || messages == 0) << messages;
  } else {
    EXPECT_EQ(messages, expected);
  }
}

/// The number of messages, and that each partition is in the right place whatever it is.
TEST_P(PartitionedHints, SayOfHowManyMessagesARoundIsMade) {
  on_each_rank([](const Place& place) {
    for (const Grouping& grouping :
         {Grouping{"none", "1", "256", 16, 16}, Grouping{"none", "65536", "256", 16, 16},
          Grouping{"none", "1", "256", 256, 256}, Grouping{"none", "1", "256", 257, 129},
          Grouping{"none", "1", "3", 16, 3}, Grouping{"none", "1", "5", 16, 4}, Grouping{"none", "1", "1", 16, 1},
          Grouping{"bulk", "1", "256", 16, 1}, Grouping{"fixed", "4096", "256", 16, 4},
          Grouping{"fixed", "4097", "256", 16, 4}, Grouping{"fixed", "6144", "256", 16, 3},
          Grouping{"fixed", "1", "256", 16, 16}, Grouping{"fixed", "1", "2", 16, 2},
          Grouping{"fixed", "1000000000", "256", 16, 1}}) {
      SCOPED_TRACE(::testing::Message() << grouping.policy << ", at least " << grouping.min_bytes << " bytes, at most "
                                        << grouping.max_messages << " messages, of " << grouping.partitions);
      const Hints hints{{"raddle_part_policy", grouping.policy},
                        {"raddle_part_min_bytes", grouping.min_bytes},
                        {"raddle_part_max_messages", grouping.max_messages}};
      std::vector<int> out(static_cast<std::size_t>(each * grouping.partitions));
      std::vector<int> in(out.size());
      Part send = send_part(place, out.data(), grouping.partitions, each, MPI_INT, usual_tag, hints);
      Part receive = receive_part(place, in.data(), 2, static_cast<MPI_Count>(in.size() / 2), MPI_INT);
      traffic::Random random(static_cast<std::uint64_t>(place.rank));
      for (int round = 0; round < 3; ++round) {
        fill(out, place.rank, round);
        receive.start();
        send.start();
        for (const int partition : in_any_order(grouping.partitions, random)) send.ready(partition);
        receive.wait();
        send.wait();
        expect_messages(send, grouping.messages);
        expect_messages(receive, grouping.messages);
        EXPECT_EQ(in, words(place.left, round, in.size()));
      }
    }
  });
}

/// Left to itself, Raddle makes few messages of many small partitions.
TEST_P(PartitionedHints, AreNotNeeded) {
  on_each_rank([](const Place& place) {
    const Hints hints{{"raddle_part_policy", "auto"}};
    constexpr int partitions = 4096;
    std::vector<int> out(partitions);
    std::vector<int> in(partitions);
    Part send = send_part(place, out.data(), partitions, 1, MPI_INT, usual_tag, hints);
    Part receive = receive_part(place, in.data(), 1, partitions, MPI_INT);
    for (int round = 0; round < 40; ++round) {
      fill(out, place.rank, round);
      receive.start();
      send.start();
      EXPECT_EQ(pready_range(0, partitions - 1, send.request), MPI_SUCCESS);
      receive.wait();
      send.wait();
      int messages = -1;
      EXPECT_EQ(Raddle_Partitioned_messages(send.request, &messages), MPI_SUCCESS);
      EXPECT_GE(messages, direct() ? 0 : 1);
      EXPECT_LE(messages, 256);
      EXPECT_EQ(in, words(place.left, round, in.size()));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Processes, PartitionedHints, ::testing::Values(Ranks::processes));
INSTANTIATE_TEST_SUITE_P(Endpoints, PartitionedHints, ::testing::Values(Ranks::endpoints));

}  // namespace
}  // namespace raddle::testing
