// SPDX-License-Identifier: BSD-3-Clause
// Collectives of so much data that they go other ways than short ones: in shares, from memory to memory, in pieces over
// lanes. Which of them depends on the number of processes and on the settings that this is run with.
#include "long_collectives.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

namespace {

using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::of_a_mib::count;
using raddle::testing::of_a_mib::Numbers;
using raddle::testing::of_a_mib::numbers;
using raddle::testing::of_a_mib::on_each;
using raddle::testing::of_a_mib::Parts;
using raddle::testing::of_a_mib::sums;

TEST(LongCollectives, BroadcastFromEachRankIntoWhatHasGaps) {
  on_each([](MPI_Comm comm) {
    MPI_Datatype every_second = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    for (int root = 0; root < size_of(comm); ++root) {
      Numbers data = numbers(root);
      if (rank_in(comm) == root) {
        EXPECT_EQ(MPI_Bcast(data.data(), count, MPI_INT, root, comm), MPI_SUCCESS);
      } else if (rank_in(comm) % 2 == 0) {
        Numbers room(count, -1);
        EXPECT_EQ(MPI_Bcast(room.data(), count, MPI_INT, root, comm), MPI_SUCCESS);
        EXPECT_EQ(room, data);
      } else {
        Numbers room(2 * count, -1);
        EXPECT_EQ(MPI_Bcast(room.data(), 1, every_second, root, comm), MPI_SUCCESS);
        Numbers got;
        for (std::size_t i = 0; i < room.size(); i += 2) got.push_back(room[i]);
        EXPECT_EQ(got, data);
        EXPECT_EQ(room[1], -1);
      }
    }
    MPI_Type_free(&every_second);
  });
}

/// Short and long ones use the same seats in turn; nonblocking ones end in any order.
TEST(LongCollectives, BroadcastOneAfterTheOther) {
  on_each([](MPI_Comm comm) {
    constexpr int rounds = 24;
    std::array<Numbers, rounds> all;
    std::array<MPI_Request, rounds> requests{};
    std::size_t i = 0;
    for (Numbers& data : all) {
      const int elements = i % 3 == 0 ? 8 : count / static_cast<int>(1 + i % 4);
      const int root = static_cast<int>(i + i / 8) % size_of(comm);  // a seat comes again after eight
      data = rank_in(comm) == root ? numbers(static_cast<int>(i), elements)
                                   : Numbers(static_cast<std::size_t>(elements), -1);
      if (i % 2 == 0) {
        EXPECT_EQ(MPI_Ibcast(data.data(), elements, MPI_INT, root, comm, &requests[i]), MPI_SUCCESS);
      } else {
        requests[i] = MPI_REQUEST_NULL;
        EXPECT_EQ(MPI_Bcast(data.data(), elements, MPI_INT, root, comm), MPI_SUCCESS);
      }
      ++i;
    }
    EXPECT_EQ(MPI_Waitall(rounds, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    for (i = 0; i < all.size(); ++i)
      EXPECT_EQ(all[i], numbers(static_cast<int>(i), static_cast<int>(all[i].size()))) << i;
  });
}

/// Each rank has begun all of them before the next one begins the first: what the others have left stays until it is
/// read.
TEST(LongCollectives, BegunBeforeOthersCome) {
  on_each([](MPI_Comm comm) {
    constexpr int rounds = 20;
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    for (const int elements : {12, 200, 3000, 16'000, 20'000}) {
      const auto piece = [&](int from, int to, int round) { return numbers(from + 10 * to + 100 * round, elements); };
      std::vector<Numbers> sent;
      std::vector<Numbers> received;
      sent.reserve(3 * rounds);
      received.reserve(3 * rounds);
      std::vector<MPI_Request> requests;
      if (rank > 0) MPI_Recv(nullptr, 0, MPI_INT, rank - 1, 0, comm, MPI_STATUS_IGNORE);
      for (int round = 0; round < rounds; ++round) {
        const int root = round / 9 % size;
        received.push_back(rank == root ? piece(root, 0, round) : Numbers(static_cast<std::size_t>(elements), -1));
        EXPECT_EQ(MPI_Ibcast(received.back().data(), elements, MPI_INT, root, comm, &requests.emplace_back()),
                  MPI_SUCCESS);
        sent.push_back(piece(rank, 0, round));
        received.emplace_back(static_cast<std::size_t>(size * elements), -1);
        EXPECT_EQ(MPI_Iallgather(sent.back().data(), elements, MPI_INT, received.back().data(), elements, MPI_INT, comm,
                                 &requests.emplace_back()),
                  MPI_SUCCESS);
        sent.emplace_back();
        for (int to = 0; to < size; ++to) {
          const Numbers one = piece(rank, to, round);
          sent.back().insert(sent.back().end(), one.begin(), one.end());
        }
        received.emplace_back(static_cast<std::size_t>(size * elements), -1);
        EXPECT_EQ(MPI_Ialltoall(sent.back().data(), elements, MPI_INT, received.back().data(), elements, MPI_INT, comm,
                                &requests.emplace_back()),
                  MPI_SUCCESS);
      }
      if (rank + 1 < size) MPI_Send(nullptr, 0, MPI_INT, rank + 1, 0, comm);
      EXPECT_EQ(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
      for (int round = 0; round < rounds; ++round) {
        const auto at = static_cast<std::size_t>(3 * round);
        EXPECT_EQ(received[at], piece(round / 9 % size, 0, round)) << "broadcast " << round;
        Numbers gathered;
        Numbers exchanged;
        for (int from = 0; from < size; ++from) {
          const Numbers to_all = piece(from, 0, round);
          const Numbers to_me = piece(from, rank, round);
          gathered.insert(gathered.end(), to_all.begin(), to_all.end());
          exchanged.insert(exchanged.end(), to_me.begin(), to_me.end());
        }
        EXPECT_EQ(received[at + 1], gathered) << "allgather " << round;
        EXPECT_EQ(received[at + 2], exchanged) << "alltoall " << round;
      }
    }
  });
}

TEST(LongCollectives, GatherAndScatterOfUnevenParts) {
  on_each([](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const auto me = static_cast<std::size_t>(rank);
    const Parts parts(size_of(comm));
    Numbers all;
    for (int other = 0; other < size_of(comm); ++other) {
      const Numbers one = numbers(other, parts.counts[static_cast<std::size_t>(other)]);
      all.insert(all.end(), one.begin(), one.end());
    }
    const Numbers mine = numbers(rank, parts.counts[me]);
    const int root = size_of(comm) - 1;
    Numbers gathered(rank == root ? all.size() : 0);
    EXPECT_EQ(MPI_Gatherv(mine.data(), parts.counts[me], MPI_INT, gathered.data(), parts.counts.data(),
                          parts.places.data(), MPI_INT, root, comm),
              MPI_SUCCESS);
    if (rank == root) {
      EXPECT_EQ(gathered, all);
    }
    Numbers part(mine.size(), -1);
    EXPECT_EQ(MPI_Scatterv(gathered.data(), parts.counts.data(), parts.places.data(), MPI_INT, part.data(),
                           parts.counts[me], MPI_INT, root, comm),
              MPI_SUCCESS);
    EXPECT_EQ(part, mine);
    Numbers everywhere(all.size(), -1);
    std::copy(mine.begin(), mine.end(), everywhere.begin() + parts.places[me]);
    EXPECT_EQ(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, everywhere.data(), parts.counts.data(),
                             parts.places.data(), MPI_INT, comm),
              MPI_SUCCESS);
    EXPECT_EQ(everywhere, all);
  });
}

TEST(LongCollectives, AllgatherIntoWhatHasGaps) {
  on_each([](MPI_Comm comm) {
    constexpr int gap = -1;
    MPI_Datatype spread = MPI_DATATYPE_NULL;  // an element, and room for another one
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread);
    MPI_Type_commit(&spread);
    const Numbers mine = numbers(rank_in(comm));
    const auto ranks = static_cast<std::size_t>(size_of(comm));
    Numbers dense(ranks * count, gap);
    EXPECT_EQ(MPI_Allgather(mine.data(), count, MPI_INT, dense.data(), count, MPI_INT, comm), MPI_SUCCESS);
    Numbers room(2 * ranks * count, gap);
    EXPECT_EQ(MPI_Allgather(mine.data(), count, MPI_INT, room.data(), count, spread, comm), MPI_SUCCESS);
    Numbers expected;
    for (int rank = 0; rank < size_of(comm); ++rank) {
      const Numbers one = numbers(rank);
      expected.insert(expected.end(), one.begin(), one.end());
    }
    EXPECT_EQ(dense, expected);
    int wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += room[2 * i] != expected[i] || room[2 * i + 1] != gap;
    EXPECT_EQ(wrong, 0);
    MPI_Type_free(&spread);
  });
}

TEST(LongCollectives, AlltoallInPlaceAndNot) {
  on_each([](MPI_Comm comm) {
    constexpr int piece = 50'001;
    const int size = size_of(comm);
    const auto from_to = [&](int from, int to) { return numbers(from * size + to, piece); };
    Numbers out;
    Numbers expected;
    for (int other = 0; other < size; ++other) {
      const Numbers sent = from_to(rank_in(comm), other);
      const Numbers due = from_to(other, rank_in(comm));
      out.insert(out.end(), sent.begin(), sent.end());
      expected.insert(expected.end(), due.begin(), due.end());
    }
    Numbers in(out.size(), -1);
    EXPECT_EQ(MPI_Alltoall(out.data(), piece, MPI_INT, in.data(), piece, MPI_INT, comm), MPI_SUCCESS);
    EXPECT_EQ(in, expected);
    EXPECT_EQ(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), piece, MPI_INT, comm), MPI_SUCCESS);
    EXPECT_EQ(out, expected);
  });
}

/// So much for one process that it goes beside the MPI's collective (endpoints/collectives/blocks.hpp), next to little.
TEST(LongCollectives, PartsThatGoInMessagesOfTheirOwn) {
  on_each([](MPI_Comm comm) {
    constexpr int very_long = 4'200'000;
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    const int root = size - 1;
    const auto count_of = [&](int other) { return other == 0 || other == root ? very_long : 1000 + other; };
    std::vector<int> counts;
    std::vector<int> places;
    Numbers all;
    for (int other = 0; other < size; ++other) {
      counts.push_back(count_of(other));
      places.push_back(static_cast<int>(all.size()));
      const Numbers one = numbers(other, count_of(other));
      all.insert(all.end(), one.begin(), one.end());
    }
    const auto me = static_cast<std::size_t>(rank);
    const auto mine = all.begin() + places[me];
    for (const int to : {0, root}) {
      Numbers gathered(rank == to ? all.size() : 0);
      EXPECT_EQ(
          MPI_Gatherv(&*mine, counts[me], MPI_INT, gathered.data(), counts.data(), places.data(), MPI_INT, to, comm),
          MPI_SUCCESS);
      if (rank == to) {
        EXPECT_TRUE(gathered == all);  // what differs would fill the terminal
      }
      Numbers part(static_cast<std::size_t>(counts[me]), -1);
      EXPECT_EQ(MPI_Scatterv(gathered.data(), counts.data(), places.data(), MPI_INT, part.data(), counts[me], MPI_INT,
                             to, comm),
                MPI_SUCCESS);
      EXPECT_TRUE(std::ranges::equal(part, std::ranges::subrange(mine, mine + counts[me])));
    }
    Numbers everywhere(all.size(), -1);
    EXPECT_EQ(
        MPI_Allgatherv(&*mine, counts[me], MPI_INT, everywhere.data(), counts.data(), places.data(), MPI_INT, comm),
        MPI_SUCCESS);
    EXPECT_TRUE(everywhere == all);
    // From the first to the last it is long, otherwise short.
    const auto between = [&](int from, int to) { return from == 0 && to == root ? very_long : 10 * from + to; };
    Numbers out;
    Numbers due;
    std::vector<int> sends;
    std::vector<int> send_places;
    std::vector<int> receives;
    std::vector<int> receive_places;
    for (int other = 0; other < size; ++other) {
      sends.push_back(between(rank, other));
      send_places.push_back(static_cast<int>(out.size()));
      const Numbers to = numbers(rank * size + other, sends.back());
      out.insert(out.end(), to.begin(), to.end());
      receives.push_back(between(other, rank));
      receive_places.push_back(static_cast<int>(due.size()));
      const Numbers from = numbers(other * size + rank, receives.back());
      due.insert(due.end(), from.begin(), from.end());
    }
    Numbers in(due.size(), -1);
    EXPECT_EQ(MPI_Alltoallv(out.data(), sends.data(), send_places.data(), MPI_INT, in.data(), receives.data(),
                            receive_places.data(), MPI_INT, comm),
              MPI_SUCCESS);
    EXPECT_TRUE(in == due);
    int sum = 1;  // and all are at the same call
    EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    EXPECT_EQ(sum, size);
  });
}

TEST(LongCollectives, SeveralUnderWayAmongShortOnes) {
  on_each([](MPI_Comm comm) {
    constexpr int several = 12;  // more than a meeting has slots for
    const Numbers in = numbers(rank_in(comm));
    std::array<Numbers, several> out;
    std::array<int, several> roots{};
    std::vector<MPI_Request> requests(2 * several, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < several; ++i) {
      out[i].resize(count);
      const int root = static_cast<int>(i) % size_of(comm);
      roots[i] = rank_in(comm) == root ? 1000 + static_cast<int>(i) : -1;
      MPI_Iallreduce(in.data(), out[i].data(), count, MPI_INT, MPI_SUM, comm, &requests[2 * i]);
      MPI_Ibcast(&roots[i], 1, MPI_INT, root, comm, &requests[2 * i + 1]);
    }
    EXPECT_EQ(MPI_Waitall(2 * several, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    for (std::size_t i = 0; i < several; ++i) {
      EXPECT_EQ(out[i], sums(size_of(comm) - 1)) << i;
      EXPECT_EQ(roots[i], 1000 + static_cast<int>(i));
    }
  });
}

}  // namespace
