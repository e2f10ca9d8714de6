// SPDX-License-Identifier: BSD-3-Clause
// Attributes of windows of endpoints while other threads use other windows.
#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "mpi/windows.hpp"

namespace {

using raddle::testing::Exposed;
using raddle::testing::with_endpoints;

/// Another thread asks for an attribute of a window while this one is in the delete function of another's.
struct Asked {
  MPI_Win other;
  int keyval;
  bool answered = false;
};

int delete_and_ask(MPI_Win, int, void* value, void*) {
  auto& asked = *static_cast<Asked*>(value);
  auto answer = std::make_shared<std::promise<void>>();
  std::future<void> waiting = answer->get_future();
  // Where nobody answers the thread stays behind: joined, it would wait for what waits for it.
  std::thread([answer, other = asked.other, keyval = asked.keyval] {
    void* found = nullptr;
    int flag = 1;
    MPI_Win_get_attr(other, keyval, static_cast<void*>(&found), &flag);
    answer->set_value();
  }).detach();
  asked.answered = waiting.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  return MPI_SUCCESS;
}

TEST(Windows, AreThereWhileAnAttributeOfAnotherIsDeleted) {
  with_endpoints([](MPI_Comm comm) {
    const Exposed<int> other(comm, 1);
    Asked asked{other.window, MPI_KEYVAL_INVALID};
    int deletes = MPI_KEYVAL_INVALID;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_and_ask, &deletes, nullptr);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &asked.keyval, nullptr);
    {
      const Exposed<int> freed(comm, 1);
      MPI_Win_set_attr(freed.window, deletes, &asked);
    }
    EXPECT_TRUE(asked.answered);
    MPI_Win_free_keyval(&deletes);
    MPI_Win_free_keyval(&asked.keyval);
  });
}

}  // namespace
