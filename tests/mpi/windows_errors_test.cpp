// SPDX-License-Identifier: BSD-3-Clause
// What windows of endpoints refuse, and that they go on afterwards.
#include <gtest/gtest.h>
#include <mpi.h>

#include <limits>

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

/// Operations on one element, which mostly go a way of their own (src/endpoints/windows/at_once.hpp).
struct OneElement {
  const char* name;
  int (*act)(const int* origin, int* result, int rank, MPI_Aint at, MPI_Win window);
  bool reads_origin;
};

constexpr OneElement operations_on_one[] = {
    {"MPI_Put",
     [](const int* origin, int*, int rank, MPI_Aint at, MPI_Win window) {
       return MPI_Put(origin, 1, MPI_INT, rank, at, 1, MPI_INT, window);
     },
     true},
    {"MPI_Get",
     [](const int*, int* result, int rank, MPI_Aint at, MPI_Win window) {
       return MPI_Get(result, 1, MPI_INT, rank, at, 1, MPI_INT, window);
     },
     false},
    {"MPI_Accumulate",
     [](const int* origin, int*, int rank, MPI_Aint at, MPI_Win window) {
       return MPI_Accumulate(origin, 1, MPI_INT, rank, at, 1, MPI_INT, MPI_SUM, window);
     },
     true},
    {"MPI_Get_accumulate",
     [](const int* origin, int* result, int rank, MPI_Aint at, MPI_Win window) {
       return MPI_Get_accumulate(origin, 1, MPI_INT, result, 1, MPI_INT, rank, at, 1, MPI_INT, MPI_PROD, window);
     },
     true},
    {"MPI_Fetch_and_op",
     [](const int* origin, int* result, int rank, MPI_Aint at, MPI_Win window) {
       return MPI_Fetch_and_op(origin, result, MPI_INT, rank, at, MPI_SUM, window);
     },
     true},
    {"MPI_Compare_and_swap",
     [](const int* origin, int* result, int rank, MPI_Aint at, MPI_Win window) {
       const int expected = 17;
       return MPI_Compare_and_swap(origin, &expected, result, MPI_INT, rank, at, window);
     },
     true},
};

TEST(Windows, SayWhatIsWrongWithOneElement) {
  for (const OneElement& one : operations_on_one) {
    SCOPED_TRACE(one.name);
    with_endpoints([&one](MPI_Comm comm) {
      Exposed<int> exposed(comm, 4, 17);
      const MPI_Win window = exposed.window;
      const int origin = 1;
      const int next = (exposed.rank + 1) % exposed.size;
      int result = -1;
      const auto act = [&](int rank, MPI_Aint at) { return class_of(one.act(&origin, &result, rank, at, window)); };
      EXPECT_EQ(act(next, 0), MPI_ERR_RMA_SYNC);
      EXPECT_EQ(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window), MPI_SUCCESS);
      for (int i = 0; i < 2; ++i) {  // also when it has gone well before
        EXPECT_EQ(act(next, 3), MPI_SUCCESS);
        EXPECT_EQ(act(MPI_PROC_NULL, 0), MPI_SUCCESS);
        EXPECT_EQ(act(-7, 0), MPI_ERR_RANK);
        EXPECT_EQ(act(exposed.size, 0), MPI_ERR_RANK);
        EXPECT_EQ(act(next, -1), MPI_ERR_DISP);
        EXPECT_EQ(act(next, 4), MPI_ERR_RMA_RANGE);
        EXPECT_EQ(act(next, std::numeric_limits<MPI_Aint>::max()), MPI_ERR_RMA_RANGE);
        EXPECT_EQ(act(next, std::numeric_limits<MPI_Aint>::max() / 2 + 1), MPI_ERR_RMA_RANGE);  // four times as much: 0
        if (one.reads_origin) EXPECT_EQ(class_of(one.act(nullptr, &result, next, 0, window)), MPI_ERR_BUFFER);
        EXPECT_EQ(MPI_Win_flush(next, window), MPI_SUCCESS);
      }
      EXPECT_EQ(class_of(MPI_Win_flush(exposed.rank, window)), exposed.size == 1 ? MPI_SUCCESS : MPI_ERR_RMA_SYNC);
      EXPECT_EQ(class_of(MPI_Win_flush(-7, window)), MPI_ERR_RANK);
      EXPECT_EQ(class_of(MPI_Win_unlock(-7, window)), MPI_ERR_RANK);
      EXPECT_EQ(MPI_Win_unlock(next, window), MPI_SUCCESS);
      EXPECT_EQ(class_of(MPI_Win_unlock(next, window)), MPI_ERR_RMA_SYNC);
      EXPECT_EQ(act(next, 0), MPI_ERR_RMA_SYNC);
      MPI_Barrier(comm);
      MPI_Win_sync(window);
      EXPECT_EQ(exposed.memory[0], 17);  // nothing of what has failed has been done
      MPI_Barrier(comm);
    });
  }
}

TEST(Windows, AskOperatorsForTheirTypesEachTime) {
  with_endpoints([](MPI_Comm comm) {
    Exposed<double> exposed(comm, 2, 1);
    const double one = 1;
    double before = 0;
    MPI_Win_lock_all(0, exposed.window);
    const auto fetch = [&](MPI_Op op) {
      return class_of(MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, 0, 0, op, exposed.window));
    };
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(fetch(MPI_NO_OP), MPI_SUCCESS);
      EXPECT_EQ(fetch(MPI_MAX), MPI_SUCCESS);
      EXPECT_EQ(fetch(MPI_BAND), MPI_ERR_OP);
      EXPECT_EQ(fetch(MPI_OP_NULL), MPI_ERR_OP);
      EXPECT_EQ(MPI_Fetch_and_op(nullptr, &before, MPI_DOUBLE, 0, 0, MPI_NO_OP, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(MPI_Win_flush(0, exposed.window), MPI_SUCCESS);
      EXPECT_EQ(before, 1);
      EXPECT_EQ(class_of(MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_NO_OP, exposed.window)),
                MPI_ERR_OP);
      EXPECT_EQ(class_of(MPI_Fetch_and_op(&one, &before, MPI_DATATYPE_NULL, 0, 0, MPI_SUM, exposed.window)),
                MPI_ERR_TYPE);
    }
    MPI_Win_unlock_all(exposed.window);
    MPI_Barrier(comm);
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
