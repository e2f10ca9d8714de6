// SPDX-License-Identifier: BSD-3-Clause
// Statuses that Raddle writes, read by the MPI.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstring>

#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {
namespace {

/// As a program hands it over: never written.
MPI_Status garbage() {
  MPI_Status status;
  std::memset(&status, 0xa5, sizeof status);
  return status;
}

MPI_Count elements(const MPI_Status& status, MPI_Datatype type) {
  MPI_Count count = 0;
  MPI_Get_elements_x(&status, type, &count);
  return count;
}

int counted(const MPI_Status& status, MPI_Datatype type) {
  int count = 0;
  MPI_Get_count(&status, type, &count);
  return count;
}

bool was_cancelled(const MPI_Status& status) {
  int flag = -1;
  MPI_Test_cancelled(&status, &flag);
  return flag == 1;
}

TEST(Status, TellsTheMpiWhatWasReceived) {
  for (const bool cancelled : {false, true}) {
    for (std::size_t bytes :
         {0UL, 1UL, 8UL, 255UL, 65536UL, 0x7fffffffUL, 0x80000000UL, 0xffffffffUL, 0x123456789aUL}) {
      MPI_Status status = garbage();
      status.MPI_ERROR = 77;
      write_status(&status, 12, 34, bytes, cancelled);
      EXPECT_EQ(status.MPI_SOURCE, 12);
      EXPECT_EQ(status.MPI_TAG, 34);
      EXPECT_EQ(status.MPI_ERROR, 77);
      EXPECT_EQ(was_cancelled(status), cancelled);
      EXPECT_EQ(elements(status, MPI_BYTE), static_cast<MPI_Count>(bytes));
      EXPECT_EQ(counted(status, MPI_BYTE), bytes <= 0x7fffffff ? static_cast<int>(bytes) : MPI_UNDEFINED);
    }
  }
}

TEST(Status, CountsElementsOfAnyDatatype) {
  MPI_Datatype three = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &three);
  MPI_Type_commit(&three);
  MPI_Status status = garbage();
  write_status(&status, 0, 0, 24, false);
  EXPECT_EQ(counted(status, MPI_DOUBLE), 3);
  EXPECT_EQ(counted(status, three), 2);
  EXPECT_EQ(elements(status, three), 6);
  EXPECT_EQ(counted(status, MPI_DOUBLE_INT), 2);
  write_status(&status, 0, 0, 20, false);
  EXPECT_EQ(counted(status, MPI_DOUBLE), MPI_UNDEFINED);
  EXPECT_EQ(counted(status, three), MPI_UNDEFINED);
  EXPECT_EQ(elements(status, three), 5);
  write_status(&status, 0, 0, 3'000'000'000, false);
  EXPECT_EQ(counted(status, MPI_DOUBLE), 375'000'000);
  EXPECT_EQ(elements(status, three), 750'000'000);
  MPI_Type_free(&three);
}

TEST(Status, OfNone) {
  MPI_Status status = garbage();
  write_empty_status(&status);
  EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
  EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
  EXPECT_EQ(status.MPI_ERROR, MPI_SUCCESS);
  EXPECT_EQ(counted(status, MPI_INT), 0);
  EXPECT_FALSE(was_cancelled(status));
}

TEST(Status, MayBeIgnored) {
  write_status(MPI_STATUS_IGNORE, 1, 2, 3, true);
  write_empty_status(MPI_STATUS_IGNORE);
}

}  // namespace
}  // namespace raddle::endpoints
