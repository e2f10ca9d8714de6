// SPDX-License-Identifier: BSD-3-Clause
// Raddle adds texts to the MPI's while the program reads and adds its own, of which MPIs crash.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <string>
#include <thread>

#include "mpi/error_words.hpp"
#include "platform/errors.hpp"

namespace raddle::platform {
namespace {

constexpr int texts = 500;  // an MPI has room for some thousands

TEST(ErrorTexts, AreReadWhileOthersAreAdded) {
  const int known = error_with(MPI_ERR_OTHER, "one that was there before");
  std::atomic<bool> over{false};
  std::thread raddles([&] {
    for (int i = 0; i < texts; ++i) {
      const std::string text = "text " + std::to_string(i);
      EXPECT_EQ(text_of(error_with(MPI_ERR_OTHER, text)), text);
    }
    over = true;
  });
  int mine = MPI_SUCCESS;
  EXPECT_EQ(MPI_Add_error_code(MPI_ERR_OTHER, &mine), MPI_SUCCESS);
  do {
    EXPECT_EQ(testing::text_of(known), "one that was there before");
    EXPECT_EQ(MPI_Add_error_string(mine, "of the program"), MPI_SUCCESS);
    EXPECT_EQ(testing::text_of(mine), "of the program");
  } while (!over);
  raddles.join();
}

}  // namespace
}  // namespace raddle::platform
