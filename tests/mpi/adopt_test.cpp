// SPDX-License-Identifier: BSD-3-Clause
// Threads that have adopted ranks: what MPI_COMM_WORLD, MPI_COMM_SELF and the functions of a process mean to them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "raddle/raddle.h"

namespace raddle::testing {
namespace {

/// Process 0 has one rank, the others two and more.
int own_count() { return rank_in(MPI_COMM_WORLD) + 1; }
int all_counts() { return size_of(MPI_COMM_WORLD) * (size_of(MPI_COMM_WORLD) + 1) / 2; }
int first_rank() { return rank_in(MPI_COMM_WORLD) * (rank_in(MPI_COMM_WORLD) + 1) / 2; }

/// Runs `act(index)` as each rank of this process, each in a thread.
template <typename Act>
void as_ranks(Act&& act) {
  std::vector<Raddle_Rank> ranks(static_cast<std::size_t>(own_count()));
  ASSERT_EQ(Raddle_Ranks_create(own_count(), ranks.data()), MPI_SUCCESS);
  std::vector<std::thread> threads;
  for (int i = 0; i < own_count(); ++i) {
    threads.emplace_back([&, i] {
      Raddle_Rank_adopt(ranks[static_cast<std::size_t>(i)]);
      MPI_Init(nullptr, nullptr);
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
      act(i);
      MPI_Finalize();
      Raddle_Rank_adopt(nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Adopt, WorldAndSelfAreTheRanks) {
  const int total = all_counts();
  const int first = first_rank();
  as_ranks([&](int index) {
    EXPECT_EQ(size_of(MPI_COMM_WORLD), total);
    EXPECT_EQ(rank_in(MPI_COMM_WORLD), first + index);
    EXPECT_EQ(size_of(MPI_COMM_SELF), 1);
    EXPECT_EQ(rank_in(MPI_COMM_SELF), 0);
    int sum = 0;
    MPI_Allreduce(&index, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    EXPECT_EQ(sum, index);
    const int one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(sum, total);
    Raddle_Rank self = nullptr;
    long long on = 0;
    long long elsewhere = 0;
    Raddle_Rank_adopted(&self);
    Raddle_Rank_calls(self, &on, &elsewhere);
    EXPECT_EQ(on, 2);
    EXPECT_EQ(elsewhere, 0);
  });
  EXPECT_EQ(size_of(MPI_COMM_WORLD) * (size_of(MPI_COMM_WORLD) + 1) / 2, total);  // this thread is no rank
}

TEST(Adopt, MessagesAndWhatIsMadeOfTheWorld) {
  as_ranks([](int) {
    const int rank = rank_in(MPI_COMM_WORLD);
    const int size = size_of(MPI_COMM_WORLD);
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 7, &got, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT_EQ(got, (rank + size - 1) % size);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    int likeness = MPI_UNEQUAL;
    MPI_Comm_compare(MPI_COMM_WORLD, copy, &likeness);
    EXPECT_EQ(likeness, MPI_CONGRUENT);
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &likeness);
    EXPECT_EQ(likeness, MPI_IDENT);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group self = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(MPI_COMM_SELF, &self);
    const int zero = 0;
    int there = -1;
    MPI_Group_translate_ranks(self, 1, &zero, all, &there);
    EXPECT_EQ(there, rank);
    MPI_Group_free(&all);
    MPI_Group_free(&self);
    MPI_Comm_free(&copy);
  });
}

TEST(Adopt, AttributesAndNamesAreTheRanks) {
  as_ranks([](int) {
    int* limit = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&limit), &found);
    EXPECT_EQ(found, 1);
    EXPECT_GE(*limit, 32767);
    const int rank = rank_in(MPI_COMM_WORLD);
    int got = 0;
    const int peer = size_of(MPI_COMM_WORLD) - 1 - rank;
    MPI_Sendrecv(&rank, 1, MPI_INT, peer, *limit, &got, 1, MPI_INT, peer, *limit, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_EQ(got, peer);
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    MPI_Comm_get_name(MPI_COMM_WORLD, name.data(), &length);
    EXPECT_STREQ(name.data(), "MPI_COMM_WORLD");
    MPI_Comm_set_name(MPI_COMM_WORLD, std::to_string(rank).c_str());
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_get_name(MPI_COMM_WORLD, name.data(), &length);
    EXPECT_EQ(name.data(), std::to_string(rank));
  });
}

TEST(Adopt, BeginningAndEndAreTheRanks) {
  std::vector<Raddle_Rank> ranks(1);
  ASSERT_EQ(Raddle_Ranks_create(1, ranks.data()), MPI_SUCCESS);
  // Whoever begins is its main thread (MPI-4.1 section 11.6), although this one has adopted it before.
  std::thread([&] { Raddle_Rank_adopt(ranks[0]); }).join();
  std::thread([&] {
    Raddle_Rank_adopt(ranks[0]);
    int flag = 1;
    MPI_Initialized(&flag);
    EXPECT_EQ(flag, 0);
    int provided = -1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Initialized(&flag);
    EXPECT_EQ(flag, 1);
    int level = -1;
    MPI_Query_thread(&level);
    EXPECT_EQ(level, provided);
    MPI_Is_thread_main(&flag);
    EXPECT_EQ(flag, 1);
    std::thread([&] {
      MPI_Is_thread_main(&flag);
      EXPECT_EQ(flag, 0);
      Raddle_Rank_adopt(ranks[0]);
      MPI_Is_thread_main(&flag);
      EXPECT_EQ(flag, 0);
      EXPECT_EQ(size_of(MPI_COMM_SELF), 1);
    }).join();
    MPI_Finalize();
    MPI_Finalized(&flag);
    EXPECT_EQ(flag, 1);
  }).join();
  int flag = 1;
  MPI_Finalized(&flag);
  EXPECT_EQ(flag, 0);
}

TEST(Adopt, BuffersAreTheRanks) {
  as_ranks([](int) {
    std::array<char, 4096> buffer{};
    EXPECT_EQ(MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size())), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()))), MPI_ERR_BUFFER);
    void* back = nullptr;
    int bytes = 0;
    EXPECT_EQ(MPI_Buffer_detach(static_cast<void*>(&back), &bytes), MPI_SUCCESS);
    EXPECT_EQ(back, static_cast<void*>(buffer.data()));
    EXPECT_EQ(bytes, 4096);
  });
}

/// Two lanes of `comm`, used once and left to whoever ends them.
void leave_lanes(MPI_Comm comm) {
  std::array<MPI_Comm, 2> lanes{};
  EXPECT_EQ(Raddle_Lanes_create(comm, 2, MPI_INFO_NULL, lanes.data()), MPI_SUCCESS);
  for (const MPI_Comm lane : lanes) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, lane);
    EXPECT_EQ(sum, size_of(comm));
  }
}

// A rank makes the first lanes of all and ends; those of the process stay.
TEST(Adopt, TheEndOfARankIsNotThatOfAllLanes) {
  std::vector<Raddle_Rank> ranks(1);
  ASSERT_EQ(Raddle_Ranks_create(1, ranks.data()), MPI_SUCCESS);
  std::promise<void> made;
  std::promise<void> other_made;
  std::thread rank([&] {
    Raddle_Rank_adopt(ranks[0]);
    MPI_Init(nullptr, nullptr);
    leave_lanes(MPI_COMM_SELF);
    made.set_value();
    other_made.get_future().wait();
    MPI_Finalize();
  });
  made.get_future().wait();
  int key = MPI_KEYVAL_INVALID;
  const auto note = [](MPI_Comm, int, void* ended, void*) -> int {
    *static_cast<bool*>(ended) = true;
    return MPI_SUCCESS;
  };
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &key, nullptr);
  bool ended = false;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm lane = MPI_COMM_NULL;
  EXPECT_EQ(Raddle_Lanes_create(own, 1, MPI_INFO_NULL, &lane), MPI_SUCCESS);
  MPI_Comm_set_attr(lane, key, &ended);
  EXPECT_EQ(Raddle_Lanes_free(1, &lane), MPI_SUCCESS);
  other_made.set_value();
  rank.join();
  EXPECT_FALSE(ended);
  MPI_Comm_free(&own);
  EXPECT_TRUE(ended);
  MPI_Comm_free_keyval(&key);
}

TEST(Adopt, LanesThatAreLeftEndWithTheRank) {
  as_ranks([](int) {
    leave_lanes(MPI_COMM_WORLD);
    leave_lanes(MPI_COMM_SELF);
  });
  leave_lanes(MPI_COMM_WORLD);  // the process's, which end with it
}

// What one rank's thread makes for all of its process, between nodes lanes among it, does not end with that rank.
TEST(Adopt, TheEndOfARankIsNotThatOfWhatItHasMadeForOthers) {
  constexpr int count = 2;
  constexpr int copies = 4;  // any of the threads makes one
  std::array<Raddle_Rank, count> ranks{};
  ASSERT_EQ(Raddle_Ranks_create(count, ranks.data()), MPI_SUCCESS);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      Raddle_Rank_adopt(ranks[static_cast<std::size_t>(i)]);
      MPI_Init(nullptr, nullptr);
      const int rank = rank_in(MPI_COMM_WORLD);
      const int size = size_of(MPI_COMM_WORLD);
      std::array<MPI_Comm, copies> made{};
      for (MPI_Comm& one : made) MPI_Comm_dup(MPI_COMM_WORLD, &one);
      if (i == 0) {
        for (MPI_Comm& one : made) MPI_Comm_free(&one);
        MPI_Finalize();
        return;
      }
      // Those who stay exchange messages, with the other processes as well.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      for (MPI_Comm& one : made) {
        int got = -1;
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + count) % size, 1, &got, 1, MPI_INT, (rank + size - count) % size, 1,
                     one, MPI_STATUS_IGNORE);
        EXPECT_EQ(got, (rank + size - count) % size);
        MPI_Comm_free(&one);
      }
      MPI_Finalize();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// What the functions of a generalized request have seen.
struct Seen {
  std::vector<int> ranks{};  ///< the rank in MPI_COMM_WORLD, in each call
};

MPI_Request generalized(Seen& seen) {
  static const auto note = [](void* extra) -> int {
    static_cast<Seen*>(extra)->ranks.push_back(rank_in(MPI_COMM_WORLD));
    return MPI_SUCCESS;
  };
  const auto query = [](void* extra, MPI_Status* status) -> int {
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 5;
    return note(extra);
  };
  const auto free = [](void* extra) -> int { return note(extra); };
  const auto cancel = [](void* extra, int) -> int { return note(extra); };
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Grequest_start(query, free, cancel, &seen, &request), MPI_SUCCESS);
  return request;
}

// Whoever completes one: its functions are called as the rank that has started it.
TEST(Adopt, FunctionsOfGeneralizedRequestsAreTheRanks) {
  as_ranks([](int) {
    const int rank = rank_in(MPI_COMM_WORLD);
    Seen seen;
    MPI_Request request = generalized(seen);
    std::thread([&] { MPI_Grequest_complete(request); }).join();  // a thread that is no rank
    MPI_Status status{};
    MPI_Wait(&request, &status);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_EQ(status.MPI_SOURCE, 5);
    EXPECT_EQ(seen.ranks, (std::vector<int>{rank, rank}));
    Seen of_freed;
    MPI_Request freed = generalized(of_freed);
    MPI_Request handle = freed;
    MPI_Cancel(&freed);
    MPI_Request_free(&freed);
    std::thread([&] { MPI_Grequest_complete(handle); }).join();
    EXPECT_EQ(of_freed.ranks, (std::vector<int>{rank, rank}));
  });
}

// A mix of requests of all sorts, in the calls that take several.
TEST(Adopt, GeneralizedRequestsMixWithThoseOfEndpoints) {
  as_ranks([](int) {
    const int rank = rank_in(MPI_COMM_WORLD);
    for (const bool all : {true, false}) {
      Seen seen;
      int got = -1;
      std::array<MPI_Request, 4> requests{generalized(seen), MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      MPI_Irecv(&got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
      int flag = 1;
      MPI_Testall(4, requests.data(), &flag, MPI_STATUSES_IGNORE);
      EXPECT_EQ(flag, 0);
      MPI_Isend(&rank, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[3]);
      std::array<MPI_Status, 4> statuses{};
      if (all) {
        MPI_Grequest_complete(requests[0]);
        MPI_Waitall(4, requests.data(), statuses.data());
      } else {
        std::vector<int> places;
        for (int i = 0; i < 3; ++i) {
          if (i == 2) MPI_Grequest_complete(requests[0]);
          int place = -1;
          MPI_Status status{};
          MPI_Waitany(4, requests.data(), &place, &status);
          ASSERT_NE(place, MPI_UNDEFINED);
          places.push_back(place);
          statuses[static_cast<std::size_t>(place)] = status;
        }
        EXPECT_EQ(places.back(), 0);
      }
      for (const MPI_Request request : requests) EXPECT_EQ(request, MPI_REQUEST_NULL);
      EXPECT_EQ(statuses[0].MPI_SOURCE, 5);
      EXPECT_EQ(statuses[1].MPI_TAG, 1);
      EXPECT_EQ(got, rank);
    }
  });
}

TEST(Adopt, WhatIsNotSupportedNamesItself) {
  as_ranks([](int) {
    int room = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&room, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    const int code = MPI_Grequest_complete(request);  // the request is none of the program's
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    EXPECT_STREQ(text.data(), "Raddle: MPI_Grequest_complete is not supported on an endpoint");
    MPI_Comm world = MPI_COMM_WORLD;
    EXPECT_EQ(class_of(MPI_Comm_free(&world)), MPI_ERR_COMM);
    MPI_Comm other = MPI_COMM_SELF;
    EXPECT_EQ(class_of(MPI_Comm_join(-1, &other)), MPI_ERR_OTHER);
    EXPECT_EQ(other, MPI_COMM_NULL);
    EXPECT_EQ(MPI_Comm_get_parent(&other), MPI_SUCCESS);
    EXPECT_EQ(other, MPI_COMM_NULL);
    const char* refused = nullptr;
    Raddle_Rank self = nullptr;
    Raddle_Rank_adopted(&self);
    Raddle_Rank_refused(self, &refused);
    EXPECT_STREQ(refused, "MPI_Grequest_complete");
  });
}

}  // namespace
}  // namespace raddle::testing
