// SPDX-License-Identifier: BSD-3-Clause
// Data access to files of endpoints: MPI-4.1 section 14.4.
#include "mpi/files.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace {

using raddle::testing::ints_in;
using raddle::testing::numbers;
using raddle::testing::Opened;
using raddle::testing::Scratch;
using raddle::testing::see_by_turns;
using raddle::testing::with_endpoints;

constexpr int some = 300;

std::vector<int> all_of(const std::string& name) {
  MPI_File file = MPI_FILE_NULL;
  EXPECT_EQ(MPI_File_open(MPI_COMM_SELF, name.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_SUCCESS);
  MPI_Offset bytes = 0;
  MPI_File_get_size(file, &bytes);
  std::vector<int> found(static_cast<std::size_t>(bytes) / sizeof(int));
  MPI_File_read(file, found.data(), static_cast<int>(found.size()), MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  return found;
}

class Files : public ::testing::Test {
 protected:
  Scratch scratch_;
  std::string name_ = scratch_.file();
};

TEST_F(Files, AreWrittenAtOffsetsAndReadBack) {
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    const std::vector<int> mine = numbers(some, file.rank * some);
    const MPI_Offset at = static_cast<MPI_Offset>(sizeof(int)) * some * file.rank;
    MPI_Status status;
    EXPECT_EQ(MPI_File_write_at(file.handle, at, mine.data(), some, MPI_INT, &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), some);
    MPI_Barrier(comm);
    const int next = (file.rank + 1) % file.size;
    std::vector<int> theirs(some);
    EXPECT_EQ(MPI_File_read_at(file.handle, static_cast<MPI_Offset>(sizeof(int)) * some * next, theirs.data(), some,
                               MPI_INT, &status),
              MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), some);
    EXPECT_EQ(theirs, numbers(some, next * some));
    MPI_Offset bytes = 0;
    EXPECT_EQ(MPI_File_get_size(file.handle, &bytes), MPI_SUCCESS);
    EXPECT_EQ(bytes, static_cast<MPI_Offset>(sizeof(int)) * some * file.size);
    EXPECT_EQ(MPI_File_read_at(file.handle, bytes - 8, theirs.data(), some, MPI_INT, &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), 2);
  });
}

/// What all write by turns is there in order, however it is written.
template <typename Write>
void expect_by_turns(const std::string& name, int each, Write&& write) {
  int size = 0;
  with_endpoints([&](MPI_Comm comm) {
    const Opened file(comm, name);
    if (file.rank == 0) size = file.size;
    see_by_turns(file, each);
    std::vector<int> mine;
    for (int turn = 0; turn < some; ++turn) {
      for (const int one : numbers(each, (turn * file.size + file.rank) * each)) mine.push_back(one);
    }
    write(file, mine);
    std::vector<int> back(mine.size(), -1);
    MPI_File_sync(file.handle);
    MPI_Barrier(comm);
    MPI_File_sync(file.handle);
    MPI_Status status;
    EXPECT_EQ(MPI_File_read_at_all(file.handle, 0, back.data(), some * each, MPI_INT, &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), some * each);
    EXPECT_EQ(back, mine);
    back.assign(mine.size(), -1);
    EXPECT_EQ(MPI_File_read_at(file.handle, 0, back.data(), some * each, MPI_INT, &status), MPI_SUCCESS);
    EXPECT_EQ(back, mine);
    // Some from the middle, beyond the end.
    EXPECT_EQ(MPI_File_read_at_all(file.handle, (some - 2) * each + 1, back.data(), some, MPI_INT, &status),
              MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), 2 * each - 1);
    EXPECT_EQ(back.front(), mine[static_cast<std::size_t>((some - 2) * each + 1)]);
  });
  MPI_Barrier(MPI_COMM_WORLD);
  int all = 0;
  MPI_Allreduce(&size, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(all_of(name), numbers(all * some * each, 0));
}

TEST_F(Files, AreWrittenTogetherInShortPieces) {
  expect_by_turns(name_, 3, [](const Opened& file, const std::vector<int>& mine) {
    MPI_Status status;
    EXPECT_EQ(MPI_File_write_all(file.handle, mine.data(), static_cast<int>(mine.size()), MPI_INT, &status),
              MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), static_cast<int>(mine.size()));
    MPI_Offset position = 0;
    MPI_File_get_position(file.handle, &position);
    EXPECT_EQ(position, static_cast<MPI_Offset>(mine.size()));
  });
}

TEST_F(Files, AreWrittenByEachInShortPieces) {
  expect_by_turns(name_, 5, [](const Opened& file, const std::vector<int>& mine) {
    const int half = static_cast<int>(mine.size()) / 2;
    EXPECT_EQ(MPI_File_write(file.handle, mine.data(), half, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_write(file.handle, mine.data() + half, static_cast<int>(mine.size()) - half, MPI_INT,
                             MPI_STATUS_IGNORE),
              MPI_SUCCESS);
  });
}

TEST_F(Files, AreWrittenOutOfGapsInMemory) {
  expect_by_turns(name_, 2, [](const Opened& file, const std::vector<int>& mine) {
    std::vector<int> wide(mine.size() * 2, -1);
    for (std::size_t i = 0; i < mine.size(); ++i) wide[2 * i] = mine[i];
    MPI_Datatype every_second = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_second);
    MPI_Type_commit(&every_second);
    const int count = static_cast<int>(mine.size());
    EXPECT_EQ(MPI_File_write_at_all(file.handle, 0, wide.data(), count, every_second, MPI_STATUS_IGNORE), MPI_SUCCESS);
    wide.assign(wide.size(), -2);
    MPI_Status status;
    EXPECT_EQ(MPI_File_read_at_all(file.handle, 0, wide.data(), count, every_second, &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), count);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_EQ(wide[2 * i], mine[i]);
      EXPECT_EQ(wide[2 * i + 1], -2);
    }
    MPI_Type_free(&every_second);
  });
}

TEST_F(Files, AreWrittenByRequestsAmongOthers) {
  expect_by_turns(name_, 4, [](const Opened& file, const std::vector<int>& mine) {
    MPI_File_set_errhandler(file.handle, MPI_ERRORS_ARE_FATAL);
    const int half = static_cast<int>(mine.size()) / 2;
    std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::array<MPI_Status, 3> statuses{};
    MPI_File_iwrite(file.handle, mine.data(), half, MPI_INT, requests.data());
    MPI_File_iwrite_at_all(file.handle, half, mine.data() + half, half, MPI_INT, &requests[1]);
    EXPECT_EQ(MPI_Waitall(3, requests.data(), statuses.data()), MPI_SUCCESS);
    EXPECT_EQ(ints_in(statuses[0]), half);
    EXPECT_EQ(ints_in(statuses[1]), half);
    EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
    int first = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = 0;
    MPI_File_iread_at(file.handle, 0, &first, 1, MPI_INT, &request);
    while (flag == 0) MPI_Test(&request, &flag, statuses.data());
    EXPECT_EQ(first, mine.front());
    EXPECT_EQ(ints_in(statuses[0]), 1);
  });
}

TEST_F(Files, AreWrittenInTwoSteps) {
  expect_by_turns(name_, 1, [](const Opened& file, const std::vector<int>& mine) {
    const int count = static_cast<int>(mine.size());
    EXPECT_EQ(MPI_File_write_all_begin(file.handle, mine.data(), count, MPI_INT), MPI_SUCCESS);
    MPI_Status status;
    EXPECT_EQ(MPI_File_write_all_end(file.handle, mine.data(), &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), count);
    std::vector<int> back(mine.size());
    EXPECT_EQ(MPI_File_read_at_all_begin(file.handle, 0, back.data(), count, MPI_INT), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_read_at_all_end(file.handle, back.data(), &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), count);
    EXPECT_EQ(back, mine);
  });
}

TEST_F(Files, AreSharedInTheOrderOfRanks) {
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    MPI_File_set_view(file.handle, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    // Rank r writes r + 1 ints.
    const std::vector<int> mine(static_cast<std::size_t>(file.rank + 1), file.rank);
    MPI_Status status;
    EXPECT_EQ(MPI_File_write_ordered(file.handle, mine.data(), file.rank + 1, MPI_INT, &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), file.rank + 1);
    const int all = file.size * (file.size + 1) / 2;
    MPI_Offset position = -1;
    EXPECT_EQ(MPI_File_get_position_shared(file.handle, &position), MPI_SUCCESS);
    EXPECT_EQ(position, all);
    EXPECT_EQ(MPI_File_seek_shared(file.handle, -all, MPI_SEEK_END), MPI_SUCCESS);
    std::vector<int> back(mine.size(), -1);
    EXPECT_EQ(MPI_File_read_ordered_begin(file.handle, back.data(), file.rank + 1, MPI_INT), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_read_ordered_end(file.handle, back.data(), &status), MPI_SUCCESS);
    EXPECT_EQ(back, mine);
    EXPECT_EQ(ints_in(status), file.rank + 1);
  });
}

TEST_F(Files, AreSharedByWhoComesFirst) {
  static constexpr int each = 40;
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    MPI_File_set_view(file.handle, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_Request request = MPI_REQUEST_NULL;
    for (int i = 0; i < each; i += 2) {
      EXPECT_EQ(MPI_File_write_shared(file.handle, &file.rank, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(MPI_File_iwrite_shared(file.handle, &file.rank, 1, MPI_INT, &request), MPI_SUCCESS);
      EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    EXPECT_EQ(MPI_File_seek_shared(file.handle, 0, MPI_SEEK_SET), MPI_SUCCESS);
    std::vector<int> seen(static_cast<std::size_t>(file.size));
    for (int i = 0; i < each; ++i) {
      int one = -1;
      MPI_Status status;
      EXPECT_EQ(MPI_File_read_shared(file.handle, &one, 1, MPI_INT, &status), MPI_SUCCESS);
      ASSERT_EQ(ints_in(status), 1);
      ++seen.at(static_cast<std::size_t>(one));
    }
    MPI_Allreduce(MPI_IN_PLACE, seen.data(), file.size, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(seen, std::vector<int>(seen.size(), int{each}));
  });
}

/// In atomic mode a record is never half one rank's and half another's, threads of one process or not.
TEST_F(Files, AreAtomic) {
  constexpr int length = 1 << 11;
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    EXPECT_EQ(MPI_File_set_atomicity(file.handle, 1), MPI_SUCCESS);
    int flag = 0;
    MPI_File_get_atomicity(file.handle, &flag);
    EXPECT_EQ(flag, 1);
    see_by_turns(file, 1, -static_cast<MPI_Offset>(sizeof(int)) * file.rank);  // all see the same ints, with gaps
    std::vector<int> record(length, file.rank);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(MPI_File_write_at(file.handle, 0, record.data(), length, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
      std::vector<int> seen(length);
      EXPECT_EQ(MPI_File_read_at(file.handle, 0, seen.data(), length, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
      ASSERT_EQ(seen, std::vector<int>(length, seen.front()));
    }
  });
}

}  // namespace
