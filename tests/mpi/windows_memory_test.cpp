// SPDX-License-Identifier: BSD-3-Clause
// Windows of endpoints whose memory is MPI's, or comes later (MPI-4.1 section 12.2).
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "mpi/windows.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::rank_in;
using raddle::testing::size_of;
using raddle::testing::with_endpoints;

TEST(Windows, AllocateMemory) {
  with_endpoints([](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    MPI_Win window = MPI_WIN_NULL;
    int* memory = nullptr;
    ASSERT_EQ(MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, static_cast<void*>(&memory), &window),
              MPI_SUCCESS);
    std::fill(memory, memory + 8, rank);
    MPI_Barrier(comm);
    const int next = (rank + 1) % size;
    int got = -1;
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
    EXPECT_EQ(MPI_Get(&got, 1, MPI_INT, next, 7, 1, MPI_INT, window), MPI_SUCCESS);
    MPI_Win_unlock(next, window);
    EXPECT_EQ(got, next);
    int* base = nullptr;
    int flag = 0;
    EXPECT_EQ(MPI_Win_get_attr(window, MPI_WIN_BASE, static_cast<void*>(&base), &flag), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(base, memory);
    const void* value = nullptr;
    EXPECT_EQ(MPI_Win_get_attr(window, MPI_WIN_SIZE, static_cast<void*>(&value), &flag), MPI_SUCCESS);
    EXPECT_EQ(*static_cast<const MPI_Aint*>(value), static_cast<MPI_Aint>(8 * sizeof(int)));
    EXPECT_EQ(MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, static_cast<void*>(&value), &flag), MPI_SUCCESS);
    EXPECT_EQ(*static_cast<const int*>(value), static_cast<int>(sizeof(int)));
    EXPECT_EQ(MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, static_cast<void*>(&value), &flag), MPI_SUCCESS);
    EXPECT_EQ(*static_cast<const int*>(value), MPI_WIN_FLAVOR_ALLOCATE);
    EXPECT_EQ(MPI_Win_get_attr(window, MPI_WIN_MODEL, static_cast<void*>(&value), &flag), MPI_SUCCESS);
    EXPECT_EQ(*static_cast<const int*>(value), MPI_WIN_UNIFIED);
    EXPECT_EQ(MPI_Win_set_name(window, "mine"), MPI_SUCCESS);
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    EXPECT_EQ(MPI_Win_get_name(window, name.data(), &length), MPI_SUCCESS);
    EXPECT_EQ(std::string(name.data()), "mine");
    EXPECT_EQ(MPI_Win_free(&window), MPI_SUCCESS);
  });
}

TEST(Windows, ShareMemory) {
  with_endpoints([](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    const bool one_node = size_of(node) == size;
    MPI_Comm_free(&node);
    MPI_Win window = MPI_WIN_NULL;
    int* memory = nullptr;
    const int code = MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm,
                                             static_cast<void*>(&memory), &window);
    if (!one_node) {
      EXPECT_EQ(class_of(code), MPI_ERR_RMA_SHARED);
      EXPECT_EQ(window, MPI_WIN_NULL);
      return;
    }
    ASSERT_EQ(code, MPI_SUCCESS);
    MPI_Win_lock_all(0, window);
    memory[0] = rank;
    memory[1] = -rank;
    MPI_Win_sync(window);
    MPI_Barrier(comm);
    MPI_Aint bytes = 0;
    int unit = 0;
    int* first = nullptr;
    EXPECT_EQ(MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, static_cast<void*>(&first)), MPI_SUCCESS);
    for (int other = 0; other < size; ++other) {
      int* theirs = nullptr;
      EXPECT_EQ(MPI_Win_shared_query(window, other, &bytes, &unit, static_cast<void*>(&theirs)), MPI_SUCCESS);
      EXPECT_EQ(theirs, first + 2 * other);  // one after the other
      EXPECT_EQ(bytes, static_cast<MPI_Aint>(2 * sizeof(int)));
      EXPECT_EQ(unit, static_cast<int>(sizeof(int)));
      EXPECT_EQ(theirs[0], other);
      EXPECT_EQ(theirs[1], -other);
    }
    MPI_Barrier(comm);
    MPI_Win_unlock_all(window);
    EXPECT_EQ(MPI_Win_free(&window), MPI_SUCCESS);
  });
}

TEST(Windows, AttachMemoryLater) {
  with_endpoints([](MPI_Comm comm) {
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    MPI_Win window = MPI_WIN_NULL;
    ASSERT_EQ(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window), MPI_SUCCESS);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    std::array<int, 4> memory{};
    memory.fill(rank);
    EXPECT_EQ(MPI_Win_attach(window, memory.data(), sizeof memory), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Win_attach(window, &memory[1], sizeof(int))), MPI_ERR_RMA_ATTACH);
    MPI_Aint mine = 0;
    MPI_Get_address(memory.data(), &mine);
    std::vector<MPI_Aint> places(static_cast<std::size_t>(size));
    MPI_Allgather(&mine, 1, MPI_AINT, places.data(), 1, MPI_AINT, comm);
    const int next = (rank + 1) % size;
    const int one = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
    const MPI_Aint there = MPI_Aint_add(places[static_cast<std::size_t>(next)], sizeof(int));
    EXPECT_EQ(MPI_Accumulate(&one, 1, MPI_INT, next, there, 1, MPI_INT, MPI_SUM, window), MPI_SUCCESS);
    MPI_Win_unlock(next, window);
    MPI_Barrier(comm);
    EXPECT_EQ(memory, (std::array<int, 4>{rank, rank + 1, rank, rank}));
    EXPECT_EQ(MPI_Win_detach(window, memory.data()), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Win_detach(window, memory.data())), MPI_ERR_BASE);
    EXPECT_EQ(MPI_Win_free(&window), MPI_SUCCESS);
  });
}

}  // namespace
