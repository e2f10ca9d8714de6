// SPDX-License-Identifier: BSD-3-Clause
// Files of endpoints as a whole: how they are opened, sizes, views, and what is wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "mpi/files.hpp"

namespace {

using raddle::testing::class_of;
using raddle::testing::ints_in;
using raddle::testing::numbers;
using raddle::testing::Opened;
using raddle::testing::Scratch;
using raddle::testing::see_by_turns;
using raddle::testing::with_endpoints;

constexpr int create = MPI_MODE_CREATE | MPI_MODE_RDWR;

class WholeFiles : public ::testing::Test {
 protected:
  int open(MPI_Comm comm, int mode, MPI_File& file) const {
    return MPI_File_open(comm, name_.c_str(), mode, MPI_INFO_NULL, &file);
  }

  Scratch scratch_;
  std::string name_ = scratch_.file();
};

TEST_F(WholeFiles, AreOpenedAsTheModeSays) {
  with_endpoints([this](MPI_Comm comm) {
    MPI_File file = MPI_FILE_NULL;
    EXPECT_EQ(class_of(open(comm, MPI_MODE_RDONLY, file)), MPI_ERR_NO_SUCH_FILE);
    EXPECT_EQ(file, MPI_FILE_NULL);
    EXPECT_EQ(class_of(open(comm, MPI_MODE_RDONLY | MPI_MODE_CREATE, file)), MPI_ERR_AMODE);
    EXPECT_EQ(class_of(open(comm, MPI_MODE_RDONLY | MPI_MODE_RDWR, file)), MPI_ERR_AMODE);
    EXPECT_EQ(class_of(open(comm, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, file)), MPI_ERR_AMODE);
    EXPECT_EQ(class_of(open(comm, 0, file)), MPI_ERR_AMODE);
    EXPECT_EQ(open(comm, create | MPI_MODE_EXCL, file), MPI_SUCCESS);  // one of them creates it, for all
    int mode = 0;
    MPI_File_get_amode(file, &mode);
    EXPECT_EQ(mode, create | MPI_MODE_EXCL);
    EXPECT_EQ(MPI_File_close(&file), MPI_SUCCESS);
    EXPECT_EQ(class_of(open(comm, create | MPI_MODE_EXCL, file)), MPI_ERR_FILE_EXISTS);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    EXPECT_EQ(class_of(open(comm, rank == 0 ? MPI_MODE_RDONLY : MPI_MODE_RDWR, file)), MPI_ERR_NOT_SAME);
    EXPECT_EQ(open(comm, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, file), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_close(&file), MPI_SUCCESS);
    EXPECT_FALSE(std::filesystem::exists(name_));
  });
}

TEST_F(WholeFiles, AreAppendedTo) {
  with_endpoints([this](MPI_Comm comm) {
    const std::array<char, 7> text{'1', '2', '3', '4', '5', '6', '7'};
    const int count = static_cast<int>(text.size());
    {
      const Opened file(comm, name_);
      MPI_File_write_at_all(file.handle, 0, text.data(), count, MPI_CHAR, MPI_STATUS_IGNORE);
    }
    const Opened file(comm, name_, MPI_MODE_RDWR | MPI_MODE_APPEND);
    MPI_Offset position = 0;
    MPI_File_get_position(file.handle, &position);
    EXPECT_EQ(position, count);
    MPI_File_get_position_shared(file.handle, &position);
    EXPECT_EQ(position, count);
    EXPECT_EQ(MPI_File_write_ordered(file.handle, text.data(), count, MPI_CHAR, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Barrier(comm);
    MPI_File_get_size(file.handle, &position);
    EXPECT_EQ(position, count * (file.size + 1));
  });
}

TEST_F(WholeFiles, HaveTheSizeTheyAreGiven) {
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    MPI_Offset bytes = 0;
    EXPECT_EQ(MPI_File_set_size(file.handle, 1000), MPI_SUCCESS);
    MPI_File_get_size(file.handle, &bytes);
    EXPECT_EQ(bytes, 1000);
    MPI_Barrier(comm);
    EXPECT_EQ(MPI_File_preallocate(file.handle, 3000), MPI_SUCCESS);
    MPI_File_get_size(file.handle, &bytes);
    EXPECT_EQ(bytes, 3000);
    MPI_Barrier(comm);
    EXPECT_EQ(MPI_File_preallocate(file.handle, 500), MPI_SUCCESS);
    MPI_File_get_size(file.handle, &bytes);
    EXPECT_EQ(bytes, 3000);
    EXPECT_EQ(class_of(MPI_File_set_size(file.handle, 10 + file.rank)), MPI_ERR_NOT_SAME);
    EXPECT_EQ(class_of(MPI_File_set_size(file.handle, -1)), MPI_ERR_ARG);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group whole = MPI_GROUP_NULL;
    int same = MPI_UNEQUAL;
    MPI_File_get_group(file.handle, &group);
    MPI_Comm_group(comm, &whole);
    MPI_Group_compare(group, whole, &same);
    EXPECT_EQ(same, MPI_IDENT);
    MPI_Group_free(&group);
    MPI_Group_free(&whole);
  });
}

TEST_F(WholeFiles, TellTheirViews) {
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    MPI_Offset at = -1;
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    std::array<char, MPI_MAX_DATAREP_STRING> name{};
    EXPECT_EQ(MPI_File_get_view(file.handle, &at, &etype, &filetype, name.data()), MPI_SUCCESS);
    EXPECT_EQ(at, 0);
    EXPECT_EQ(etype, MPI_BYTE);
    EXPECT_EQ(filetype, MPI_BYTE);
    EXPECT_EQ(std::string(name.data()), "native");
    see_by_turns(file, 2, 12);
    EXPECT_EQ(MPI_File_get_view(file.handle, &at, &etype, &filetype, name.data()), MPI_SUCCESS);
    EXPECT_EQ(at, 12 + 8 * file.rank);
    EXPECT_EQ(etype, MPI_INT);
    MPI_Aint begin = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(filetype, &begin, &extent);
    EXPECT_EQ(extent, 8 * file.size);
    MPI_Type_free(&filetype);
    EXPECT_EQ(MPI_File_get_byte_offset(file.handle, 3, &at), MPI_SUCCESS);
    EXPECT_EQ(at, 12 + 8 * file.rank + 8 * file.size + 4);
    EXPECT_EQ(MPI_File_get_type_extent(file.handle, MPI_DOUBLE, &extent), MPI_SUCCESS);
    EXPECT_EQ(extent, 8);
    EXPECT_EQ(MPI_File_seek(file.handle, 5, MPI_SEEK_SET), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_seek(file.handle, -2, MPI_SEEK_CUR), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_get_position(file.handle, &at), MPI_SUCCESS);
    EXPECT_EQ(at, 3);
    EXPECT_EQ(class_of(MPI_File_seek(file.handle, -4, MPI_SEEK_CUR)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_File_set_view(file.handle, 0, MPI_INT, MPI_CHAR, "native", MPI_INFO_NULL)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_File_set_view(file.handle, 0, MPI_INT, MPI_INT, "elsewhere", MPI_INFO_NULL)),
              MPI_ERR_UNSUPPORTED_DATAREP);
    MPI_File_get_position(file.handle, &at);
    EXPECT_EQ(at, 3);
  });
}

TEST_F(WholeFiles, HoldExternal32) {
  with_endpoints([this](MPI_Comm comm) {
    const Opened file(comm, name_);
    constexpr int some = 100;
    const std::vector<int> mine = numbers(some, 0x01020304 + 1000 * file.rank);
    const auto begin = static_cast<MPI_Offset>(file.rank * some * sizeof(int));
    EXPECT_EQ(MPI_File_set_view(file.handle, begin, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL), MPI_SUCCESS);
    std::array<char, MPI_MAX_DATAREP_STRING> name{};
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    MPI_Offset at = 0;
    MPI_File_get_view(file.handle, &at, &etype, &filetype, name.data());
    EXPECT_EQ(std::string(name.data()), "external32");
    EXPECT_EQ(MPI_File_write_all(file.handle, mine.data(), some, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    std::array<unsigned char, 4> bytes{};
    MPI_Barrier(comm);
    EXPECT_EQ(MPI_File_set_view(file.handle, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_read_at(file.handle, 4, bytes.data(), 4, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(bytes, (std::array<unsigned char, 4>{1, 2, 3, 5}));
    // Of what lies in pieces, and beyond the end: what is not read stays.
    MPI_Datatype apart = MPI_DATATYPE_NULL;
    MPI_Type_vector(some, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    const auto all = static_cast<MPI_Offset>(some) * file.size;
    EXPECT_EQ(MPI_File_set_view(file.handle, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL), MPI_SUCCESS);
    std::vector<int> room(std::size_t{2} * some, -7);
    MPI_Status status;
    EXPECT_EQ(MPI_File_read_at_all(file.handle, all - 3, room.data(), 1, apart, &status), MPI_SUCCESS);
    EXPECT_EQ(ints_in(status), 3);
    const int last = 0x01020304 + 1000 * (file.size - 1) + some - 1;
    EXPECT_EQ(std::vector<int>(room.begin(), room.begin() + 8),
              (std::vector<int>{last - 2, -7, last - 1, -7, last, -7, -7, -7}));
    EXPECT_EQ(room.back(), -7);
    MPI_Type_free(&apart);
    // Words of different lengths in one element, and an element that is not there whole.
    struct Pair {
      short small;
      double value;
    };
    const std::array lengths{1, 1};
    const std::array<MPI_Aint, 2> places{offsetof(Pair, small), offsetof(Pair, value)};
    const std::array types{MPI_SHORT, MPI_DOUBLE};
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Datatype pairs = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &pair);
    MPI_Type_create_resized(pair, 0, sizeof(Pair), &pairs);
    MPI_Type_commit(&pairs);
    const std::vector<Pair> written{{1, 0.5}, {2, 0.75}, {3, -1}};
    const MPI_Offset whole = 10 * 3;
    MPI_Barrier(comm);
    EXPECT_EQ(MPI_File_set_size(file.handle, whole), MPI_SUCCESS);
    EXPECT_EQ(MPI_File_set_view(file.handle, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL), MPI_SUCCESS);
    if (file.rank == 0)
      EXPECT_EQ(MPI_File_write_at(file.handle, 0, written.data(), 3, pairs, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Barrier(comm);
    std::array<unsigned char, 10> second{};
    EXPECT_EQ(MPI_File_read_at(file.handle, 10, second.data(), 10, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(second, (std::array<unsigned char, 10>{0, 2, 0x3f, 0xe8}));
    std::vector<Pair> come(4, Pair{-5, -5});
    EXPECT_EQ(MPI_File_read_at(file.handle, 10, come.data(), 4, pairs, &status), MPI_SUCCESS);
    EXPECT_EQ(come[0].small, 2);
    EXPECT_EQ(come[1].value, -1);
    EXPECT_EQ(come[2].small, -5);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);
    // On Linux it has 4 bytes, in external32 2.
    EXPECT_EQ(class_of(MPI_File_write_at(file.handle, 0, room.data(), 1, MPI_WCHAR, MPI_STATUS_IGNORE)),
              MPI_ERR_UNSUPPORTED_DATAREP);
    EXPECT_EQ(class_of(MPI_File_set_view(file.handle, 0, MPI_WCHAR, MPI_WCHAR, "external32", MPI_INFO_NULL)),
              MPI_ERR_UNSUPPORTED_DATAREP);
    const char* const other = file.rank == 0 && file.size > 1 ? "native" : "external32";
    EXPECT_EQ(class_of(MPI_File_set_view(file.handle, 0, MPI_INT, MPI_INT, other, MPI_INFO_NULL)),
              file.size > 1 ? MPI_ERR_NOT_SAME : MPI_SUCCESS);
  });
}

TEST_F(WholeFiles, AreReadInSequence) {
  with_endpoints([this](MPI_Comm comm) {
    const int some = 4;
    {
      const Opened file(comm, name_, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
      const std::vector<int> mine = numbers(some, some * file.rank);
      EXPECT_EQ(MPI_File_write_ordered(file.handle, mine.data(), some, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(class_of(MPI_File_write_at(file.handle, 0, mine.data(), some, MPI_INT, MPI_STATUS_IGNORE)),
                MPI_ERR_UNSUPPORTED_OPERATION);
      EXPECT_EQ(class_of(MPI_File_seek(file.handle, 0, MPI_SEEK_SET)), MPI_ERR_UNSUPPORTED_OPERATION);
      EXPECT_EQ(class_of(MPI_File_set_size(file.handle, 0)), MPI_ERR_UNSUPPORTED_OPERATION);
    }
    const Opened file(comm, name_, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    int one = -1;
    EXPECT_EQ(MPI_File_read_ordered(file.handle, &one, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(one, file.rank);
    EXPECT_EQ(MPI_File_set_view(file.handle, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
              MPI_SUCCESS);
    EXPECT_EQ(MPI_File_read_ordered(file.handle, &one, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(one, file.size + file.rank);
  });
}

TEST_F(WholeFiles, SayWhatIsWrong) {
  with_endpoints([this](MPI_Comm comm) {
    const Opened made(comm, name_);
    const Opened file(comm, name_, MPI_MODE_RDONLY);
    const Opened written(comm, name_, MPI_MODE_WRONLY);
    int one = 0;
    EXPECT_EQ(class_of(MPI_File_write(file.handle, &one, 1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_READ_ONLY);
    EXPECT_EQ(class_of(MPI_File_write_all(file.handle, &one, 1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_READ_ONLY);
    EXPECT_EQ(class_of(MPI_File_write_ordered(file.handle, &one, 1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_READ_ONLY);
    EXPECT_EQ(class_of(MPI_File_set_size(file.handle, 0)), MPI_ERR_READ_ONLY);
    EXPECT_EQ(class_of(MPI_File_read(written.handle, &one, 1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_ACCESS);
    EXPECT_EQ(class_of(MPI_File_read_at(file.handle, -1, &one, 1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(MPI_File_read(file.handle, &one, -1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_COUNT);
    // Of one rank: the others go on.
    const int count = made.rank == 0 ? -1 : 1;
    const int code = MPI_File_write_at_all(made.handle, 4 * made.rank, &one, count, MPI_INT, MPI_STATUS_IGNORE);
    EXPECT_EQ(class_of(code), made.rank == 0 ? MPI_ERR_COUNT : MPI_SUCCESS);
    MPI_File_set_view(made.handle, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    EXPECT_EQ(class_of(MPI_File_write(made.handle, &one, 3, MPI_CHAR, MPI_STATUS_IGNORE)), MPI_ERR_IO);
    EXPECT_EQ(class_of(MPI_File_write_all_end(made.handle, &one, MPI_STATUS_IGNORE)), MPI_ERR_IO);
    EXPECT_EQ(MPI_File_write_all_begin(made.handle, &one, 1, MPI_INT), MPI_SUCCESS);
    EXPECT_EQ(class_of(MPI_File_write_all_begin(made.handle, &one, 1, MPI_INT)), MPI_ERR_IO);
    EXPECT_EQ(class_of(MPI_File_read_all_end(made.handle, &one, MPI_STATUS_IGNORE)), MPI_ERR_IO);
    EXPECT_EQ(MPI_File_write_all_end(made.handle, &one, MPI_STATUS_IGNORE), MPI_SUCCESS);
  });
}

thread_local int heard = 0;

void listen(MPI_File* file, int* code, ...) {
  if (*file != MPI_FILE_NULL && class_of(*code) == MPI_ERR_ARG) ++heard;
}

TEST_F(WholeFiles, TellTheirErrorHandlers) {
  MPI_Errhandler listens = MPI_ERRHANDLER_NULL;
  MPI_File_create_errhandler(listen, &listens);
  with_endpoints([&, this](MPI_Comm comm) {
    const Opened file(comm, name_);
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    MPI_File_get_errhandler(file.handle, &found);
    EXPECT_EQ(found, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(file.handle, listens);
    int one = 0;
    EXPECT_EQ(class_of(MPI_File_read_at(file.handle, -1, &one, 1, MPI_INT, MPI_STATUS_IGNORE)), MPI_ERR_ARG);
    EXPECT_EQ(heard, 1);
  });
  MPI_Errhandler_free(&listens);
}

}  // namespace
