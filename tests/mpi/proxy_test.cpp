// SPDX-License-Identifier: BSD-3-Clause
// What is the proxy engine's alone; what endpoints are with any engine is in the other tests, which run with both.
// Started with RADDLE_ENGINE=proxy, 2 proxies for each process, and 16 MiB of shared memory.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "mpi/error_words.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::testing::class_of;
using raddle::testing::text_of;

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

/// Two of this process's, which no other process takes part in.
class Pair {
 public:
  explicit Pair(MPI_Info info = MPI_INFO_NULL) {
    MPIX_Comm_create_endpoints(MPI_COMM_SELF, 2, info, ends_.data());
    for (const MPI_Comm end : ends_) MPI_Comm_set_errhandler(end, MPI_ERRORS_RETURN);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    for (MPI_Comm& end : ends_) MPI_Comm_free(&end);
  }
  MPI_Comm operator[](std::size_t i) const { return ends_[i]; }

 private:
  std::array<MPI_Comm, 2> ends_{};
};

TEST(Proxies, AreNoProcessesOfTheProgram) {
  int size = 0;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const started = std::getenv("TEST_PROCESSES");
  ASSERT_NE(started, nullptr);
  EXPECT_EQ(size, std::atoi(started));
  MPI_Group group = MPI_GROUP_NULL;
  int of_group = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_size(group, &of_group);
  MPI_Group_free(&group);
  EXPECT_EQ(of_group, size);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, size * (size - 1) / 2);
  int* greatest = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&greatest), &found);
  ASSERT_NE(found, 0);
  EXPECT_GE(*greatest, 32767);
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  MPI_Comm_get_name(MPI_COMM_WORLD, name.data(), &length);
  EXPECT_STREQ(name.data(), "MPI_COMM_WORLD");
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
  MPI_Comm_size(half, &of_group);
  EXPECT_EQ(of_group, 1);
  MPI_Comm_free(&half);
}

/// Each proxy makes one communicator after the other. Processes begin with another one here.
TEST(Proxies, MakeEndpointsForTwoThreadsAtOnce) {
  constexpr int rounds = 10;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<MPI_Comm, 2> parents{};
  for (MPI_Comm& parent : parents) MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  std::array<int, 2> made{};
  std::array<std::thread, 2> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&, i] {
      for (int round = 0; round < rounds; ++round) {
        if ((static_cast<int>(i) + rank) % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        MPI_Comm end = MPI_COMM_NULL;
        if (MPIX_Comm_create_endpoints(parents[i], 1, MPI_INFO_NULL, &end) == MPI_SUCCESS) ++made[i];
        MPI_Comm_free(&end);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& parent : parents) MPI_Comm_free(&parent);
  EXPECT_EQ(made, (std::array{rounds, rounds}));
}

/// What belongs to no communicator some MPIs raise on MPI_COMM_WORLD, which is the job's.
TEST(Proxies, LeaveErrorsWithoutACommunicatorToTheProgramsHandler) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_NE(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_SUCCESS);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, before);
  MPI_Errhandler_free(&before);
}

TEST(Proxies, AreAsManyAsAProcessMayHaveEndpoints) {
  std::array<MPI_Comm, 3> ends{};
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  const int code = MPIX_Comm_create_endpoints(own, 3, MPI_INFO_NULL, ends.data());
  int endpoints = 0;
  Raddle_Err_endpoints(&endpoints);
  EXPECT_EQ(class_of(code), endpoints);
  EXPECT_NE(text_of(code).find("each process has 2 proxies"), std::string::npos) << text_of(code);
  EXPECT_EQ(ends[2], MPI_COMM_NULL);
  MPI_Comm_free(&own);
}

TEST(Proxies, AreAskedForOrNotByAKey) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "raddle_engine", "direct");
  std::array<MPI_Comm, 3> ends{};
  ASSERT_EQ(MPIX_Comm_create_endpoints(MPI_COMM_SELF, 3, info, ends.data()),
            MPI_SUCCESS);  // more than there are proxies
  for (MPI_Comm& end : ends) MPI_Comm_free(&end);
  MPI_Info_set(info, "raddle_engine", "pigeon");
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  EXPECT_EQ(class_of(MPIX_Comm_create_endpoints(own, 1, info, ends.data())), MPI_ERR_INFO_VALUE);
  MPI_Comm_free(&own);
  MPI_Info_free(&info);
}

/// From and to such memory nothing is copied: it works when there is no room for copies.
TEST(SharedMemory, IsWhereMessagesTravelWithoutACopy) {
  const Pair pair;
  constexpr std::size_t bytes = 6 * mebibyte;  // twice that is there, and not three times
  constexpr std::size_t words = bytes / sizeof(std::uint64_t);
  auto* const from = static_cast<std::uint64_t*>(Raddle_malloc(bytes));
  std::uint64_t* to = nullptr;
  ASSERT_EQ(MPI_Alloc_mem(bytes, MPI_INFO_NULL, static_cast<void*>(&to)), MPI_SUCCESS);
  ASSERT_NE(from, nullptr);
  EXPECT_EQ(Raddle_malloc(bytes), nullptr);
  std::iota(from, from + words, 17U);
  std::thread receiver([&] {
    EXPECT_EQ(MPI_Recv(to, bytes, MPI_BYTE, 0, 1, pair[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(MPI_Bcast(to, bytes / 2, MPI_BYTE, 0, pair[1]), MPI_SUCCESS);
  });
  EXPECT_EQ(MPI_Send(from, bytes, MPI_BYTE, 1, 1, pair[0]), MPI_SUCCESS);
  EXPECT_EQ(MPI_Bcast(from + 1, bytes / 2, MPI_BYTE, 0, pair[0]), MPI_SUCCESS);
  receiver.join();
  EXPECT_EQ(to[0], 18U);
  EXPECT_EQ(to[words - 1], 17U + words - 1);
  Raddle_free(from);
  EXPECT_EQ(MPI_Free_mem(to), MPI_SUCCESS);
}

TEST(SharedMemory, IsAligned) {
  for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
    void* const memory = Raddle_memalign(alignment, 100);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
    Raddle_free(memory);
  }
  EXPECT_EQ(Raddle_memalign(3, 8), nullptr);
  Raddle_free(nullptr);
}

TEST(SharedMemory, SaysWhenItIsUsedUp) {
  const Pair pair;
  std::vector<char> message(32 * mebibyte);
  MPI_Request request = MPI_REQUEST_NULL;
  const int bytes = static_cast<int>(message.size());
  int code = MPI_Isend(message.data(), bytes, MPI_BYTE, 1, 0, pair[0], &request);
  if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(class_of(code), MPI_ERR_NO_MEM);
  EXPECT_NE(text_of(code).find("RADDLE_PROXY_HEAP"), std::string::npos) << text_of(code);
  EXPECT_EQ(class_of(MPI_Allreduce(MPI_IN_PLACE, message.data(), bytes, MPI_CHAR, MPI_MAX, pair[0])), MPI_ERR_NO_MEM);
  // And what was asked for afterwards is done.
  char one = 'a';
  char other = 'b';
  MPI_Sendrecv(&one, 1, MPI_CHAR, 0, 1, &other, 1, MPI_CHAR, 0, 1, pair[0], MPI_STATUS_IGNORE);
  EXPECT_EQ(other, 'a');
}

TEST(Queue, HoldsUpWhoAsksForMoreThanItHasRoomFor) {
  const Pair pair;
  constexpr int messages = 20000;  // four times as many as it has lines
  std::vector<MPI_Request> requests(messages);
  std::vector<int> heard(messages, -1);
  for (int i = 0; i < messages; ++i)
    MPI_Irecv(&heard[static_cast<std::size_t>(i)], 1, MPI_INT, 0, i % 7, pair[1],
              &requests[static_cast<std::size_t>(i)]);
  for (int i = 0; i < messages; ++i) MPI_Send(&i, 1, MPI_INT, 1, i % 7, pair[0]);
  EXPECT_EQ(MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (int i = 0; i < messages; ++i) ASSERT_EQ(heard[static_cast<std::size_t>(i)], i);
}

/// The proxy looks at some at a time of what it has under way.
TEST(Queue, BringsEachOfManyWhateverTheirOrder) {
  const Pair pair;
  constexpr int messages = 300;
  std::vector<MPI_Request> requests(messages);
  std::vector<int> heard(messages, -1);
  for (int i = 0; i < messages; ++i)
    MPI_Irecv(&heard[static_cast<std::size_t>(i)], 1, MPI_INT, 0, i, pair[1], &requests[static_cast<std::size_t>(i)]);
  for (int i = messages - 1; i >= 0; --i) {
    const int tag = i * 7 % messages;
    MPI_Send(&i, 1, MPI_INT, 1, tag, pair[0]);
    MPI_Status status;
    EXPECT_EQ(MPI_Wait(&requests[static_cast<std::size_t>(tag)], &status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_TAG, tag);
    EXPECT_EQ(heard[static_cast<std::size_t>(tag)], i);
    EXPECT_EQ(std::ranges::count(heard, -1), i) << "after " << tag;
  }
}

/// The proxy sleeps meanwhile, and is woken.
TEST(Queue, IsLookedAtAfterALongSilence) {
  const Pair pair;
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    int heard = -1;
    MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &heard, 1, MPI_INT, 0, 0, pair[0], MPI_STATUS_IGNORE);
    EXPECT_EQ(heard, i);
  }
}

}  // namespace
