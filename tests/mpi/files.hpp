// SPDX-License-Identifier: BSD-3-Clause
// What tests of files have in common.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "mpi/with_endpoints.hpp"

namespace raddle::testing {

/// A directory of all processes, removed when it ends.
class Scratch {
 public:
  Scratch() {
    if (rank_in(MPI_COMM_WORLD) == 0) {
      std::string made = (std::filesystem::temp_directory_path() / "raddle-files-XXXXXX").string();
      EXPECT_NE(mkdtemp(made.data()), nullptr);
      made.copy(path_.data(), path_.size() - 1);
    }
    MPI_Bcast(path_.data(), static_cast<int>(path_.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) std::filesystem::remove_all(path_.data());
  }

  [[nodiscard]] std::string file(const char* name = "file") const { return std::string(path_.data()) + "/" + name; }

 private:
  std::array<char, 256> path_{};
};

/// A file that has been opened.
class Opened {
 public:
  Opened(MPI_Comm comm, const std::string& name, int mode = MPI_MODE_CREATE | MPI_MODE_RDWR)
      : rank(rank_in(comm)), size(size_of(comm)) {
    EXPECT_EQ(MPI_File_open(comm, name.c_str(), mode, MPI_INFO_NULL, &handle), MPI_SUCCESS);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    EXPECT_EQ(MPI_File_close(&handle), MPI_SUCCESS);
    EXPECT_EQ(handle, MPI_FILE_NULL);
  }

  MPI_File handle = MPI_FILE_NULL;
  int rank;
  int size;
};

inline std::vector<int> numbers(int count, int first) {
  std::vector<int> made(static_cast<std::size_t>(count));
  std::iota(made.begin(), made.end(), first);
  return made;
}

inline int ints_in(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  return count;
}

/// A view in which `each` ints of every rank follow those of the one before.
inline void see_by_turns(const Opened& file, int each, MPI_Offset displacement = 0) {
  MPI_Datatype turn = MPI_DATATYPE_NULL;
  MPI_Datatype tile = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(each, MPI_INT, &turn);
  MPI_Type_create_resized(turn, 0, static_cast<MPI_Aint>(sizeof(int)) * each * file.size, &tile);
  MPI_Type_commit(&tile);
  const MPI_Offset begin = displacement + static_cast<MPI_Offset>(sizeof(int)) * each * file.rank;
  EXPECT_EQ(MPI_File_set_view(file.handle, begin, MPI_INT, tile, "native", MPI_INFO_NULL), MPI_SUCCESS);
  MPI_Type_free(&turn);
  MPI_Type_free(&tile);
}

}  // namespace raddle::testing
