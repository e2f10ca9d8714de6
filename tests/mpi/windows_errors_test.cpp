// SPDX-License-Identifier: BSD-3-Clause
// What windows of endpoints refuse, and that they go on afterwards.
#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/windows.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::Exposed;
using raddle::testing::with_endpoints;

constexpr int no_assertion = 1 << 30;

TEST(Windows, SayWhatIsWrong) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, 4);
    const MPI_Win window = exposed.window;
    const int one = 1;
    const auto put = [&](int rank, MPI_Aint at, int count) {
      return class_of(MPI_Put(&one, count, MPI_INT, rank, at, count, MPI_INT, window));
    };
    EXPECT_EQ(put(0, 0, 1), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_unlock(0, window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_unlock_all(window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_flush(0, window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_flush_all(window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_flush_local_all(window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_complete(window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(class_of(MPI_Win_wait(window)), MPI_ERR_RMA_SYNC);
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Win_get_group(window, &all);
    EXPECT_EQ(class_of(MPI_Win_post(all, no_assertion, window)), MPI_ERR_ASSERT);
    EXPECT_EQ(class_of(MPI_Win_start(all, no_assertion, window)), MPI_ERR_ASSERT);
    EXPECT_EQ(class_of(MPI_Win_fence(no_assertion, window)), MPI_ERR_ASSERT);
    MPI_Group_free(&all);
    EXPECT_EQ(class_of(MPI_Win_lock(17, 0, 0, window)), MPI_ERR_LOCKTYPE);
    EXPECT_EQ(class_of(MPI_Win_lock(MPI_LOCK_SHARED, exposed.size, 0, window)), MPI_ERR_RANK);
    EXPECT_EQ(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(put(-7, 0, 1), MPI_ERR_RANK);
    EXPECT_EQ(put(0, -1, 1), MPI_ERR_DISP);
    EXPECT_EQ(put(0, 4, 1), MPI_ERR_RMA_RANGE);
    EXPECT_EQ(put(0, 0, -1), MPI_ERR_COUNT);
    EXPECT_EQ(put(MPI_PROC_NULL, 0, 1), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, window)), MPI_ERR_OP);
    EXPECT_EQ(MPI_Win_unlock(0, window), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_Win_attach(window, nullptr, 0)), MPI_ERR_RMA_FLAVOR);
    MPI_Win none = MPI_WIN_NULL;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    EXPECT_EQ(class_of(MPI_Win_create(nullptr, -1, 1, MPI_INFO_NULL, comm, &none)), MPI_ERR_SIZE);
    EXPECT_EQ(class_of(MPI_Win_create(nullptr, 0, 0, MPI_INFO_NULL, comm, &none)), MPI_ERR_DISP);
    EXPECT_EQ(none, MPI_WIN_NULL);
  });
}

TEST(Windows, AreNotFreedInAnEpoch) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<int> exposed(comm, 1);
    MPI_Win window = exposed.window;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, exposed.rank, MPI_MODE_NOCHECK, window);
    EXPECT_EQ(class_of(MPI_Win_free(&window)), MPI_ERR_RMA_SYNC);
    EXPECT_EQ(window, exposed.window);
    MPI_Win_unlock(exposed.rank, window);
  });
}

int refuse_once(MPI_Win, int, void* value, void*) {
  int& times = *static_cast<int*>(value);
  return times++ == 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

TEST(Windows, StayWhereADeleteFunctionRefuses) {
  int keyval = MPI_KEYVAL_INVALID;
  ASSERT_EQ(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, refuse_once, &keyval, nullptr), MPI_SUCCESS);
  with_endpoints([keyval](MPI_Comm comm) {
    int memory = 41;
    MPI_Win window = MPI_WIN_NULL;
    ASSERT_EQ(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, comm, &window), MPI_SUCCESS);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    int times = 0;
    MPI_Win_set_attr(window, keyval, &times);
    const MPI_Win before = window;
    if (MPI_Win_free(&window) != MPI_SUCCESS) {  // some MPIs do not mind
      EXPECT_EQ(window, before);
      int got = 0;
      MPI_Win_fence(0, window);
      EXPECT_EQ(MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, window), MPI_SUCCESS);
      MPI_Win_fence(0, window);
      EXPECT_EQ(got, memory);
      EXPECT_EQ(MPI_Win_free(&window), MPI_SUCCESS);
    }
    EXPECT_GE(times, 1);
    EXPECT_EQ(window, MPI_WIN_NULL);
  });
  MPI_Win_free_keyval(&keyval);
}

}  // namespace
