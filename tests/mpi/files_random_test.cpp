// SPDX-License-Identifier: BSD-3-Clause
// Random views of all ranks, written and read together or alone, against bytes in memory. All ranks draw the same.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "mpi/files.hpp"

namespace {

using raddle::testing::Opened;
using raddle::testing::Scratch;
using raddle::testing::with_endpoints;

using Bytes = std::vector<std::uint8_t>;

class Random {
 public:
  explicit Random(unsigned seed) : numbers_(seed) {}
  int below(int end) { return static_cast<int>(numbers_() % static_cast<unsigned>(end)); }
  Bytes bytes(int count) {
    Bytes made(static_cast<std::size_t>(count));
    for (std::uint8_t& one : made) one = static_cast<std::uint8_t>(1 + below(250));
    return made;
  }

 private:
  std::mt19937 numbers_;
};

/// A tile whose blocks belong to ranks, each to one.
struct Tile {
  struct Block {
    int at;
    int length;
    int owner;
  };
  MPI_Offset displacement;
  int extent = 0;
  std::vector<Block> blocks{};

  Tile(Random& random, int ranks) : displacement(random.below(100)) {
    const int longest = 1 << random.below(14);
    for (int i = 2 * ranks + random.below(20); i > 0; --i) {
      const int length = 1 + random.below(longest);
      if (random.below(6) != 0) blocks.push_back({extent, length, random.below(ranks)});
      extent += length;
    }
  }

  /// Where the bytes of a rank are, in the order of its view.
  [[nodiscard]] std::vector<std::size_t> places(int rank, int count) const {
    std::vector<std::size_t> found;
    const bool any = std::ranges::any_of(blocks, [rank](const Block& one) { return one.owner == rank; });
    for (MPI_Offset tile = displacement; any && found.size() < static_cast<std::size_t>(count); tile += extent) {
      for (const Block& one : blocks) {
        for (int i = 0; one.owner == rank && i < one.length; ++i)
          found.push_back(static_cast<std::size_t>(tile + one.at + i));
      }
    }
    found.resize(any ? static_cast<std::size_t>(count) : 0);
    return found;
  }

  void see(const Opened& file) const {
    std::vector<int> lengths;
    std::vector<MPI_Aint> at;
    for (const Block& one : blocks) {
      if (one.owner != file.rank) continue;
      lengths.push_back(one.length);
      at.push_back(one.at);
    }
    MPI_Datatype pieces = MPI_DATATYPE_NULL;
    MPI_Datatype tile = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(at.size()), lengths.data(), at.data(), MPI_BYTE, &pieces);
    MPI_Type_create_resized(pieces, 0, extent, &tile);
    MPI_Type_commit(&tile);
    EXPECT_EQ(MPI_File_set_view(file.handle, displacement, MPI_BYTE, tile, "native", MPI_INFO_NULL), MPI_SUCCESS);
    MPI_Type_free(&pieces);
    MPI_Type_free(&tile);
  }
};

void write_round(const Opened& file, Random& random, Bytes& model) {
  const Tile tile(random, file.size);
  const bool together = random.below(3) != 0;
  tile.see(file);
  for (int rank = 0; rank < file.size; ++rank) {
    const int count = random.below(4) == 0 ? 0 : random.below(60000);
    const std::vector<std::size_t> places = tile.places(rank, count);
    const Bytes data = random.bytes(static_cast<int>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (model.size() <= places[i]) model.resize(places[i] + 1);
      model[places[i]] = data[i];
    }
    if (rank != file.rank) continue;
    const int some = static_cast<int>(data.size());
    const auto write = together ? MPI_File_write_at_all : MPI_File_write_at;
    EXPECT_EQ(write(file.handle, 0, data.data(), some, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }
}

void read_round(const Opened& file, Random& random, const Bytes& model) {
  const Tile tile(random, file.size);
  const bool together = random.below(3) != 0;
  tile.see(file);
  for (int rank = 0; rank < file.size; ++rank) {
    const std::vector<std::size_t> places = tile.places(rank, random.below(60000));
    if (rank != file.rank) continue;
    Bytes found(places.size(), 255);
    Bytes expected(places.size(), 255);
    int there = 0;
    for (std::size_t i = 0; i < places.size() && places[i] < model.size(); ++i, ++there) expected[i] = model[places[i]];
    MPI_Status status;
    const auto read = together ? MPI_File_read_at_all : MPI_File_read_at;
    EXPECT_EQ(read(file.handle, 0, found.data(), static_cast<int>(found.size()), MPI_BYTE, &status), MPI_SUCCESS);
    int count = -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    EXPECT_EQ(count, there);
    EXPECT_TRUE(found == expected);
  }
}

TEST(RandomFiles, AreAsTheirModel) {
  const Scratch scratch;
  const std::string name = scratch.file();
  with_endpoints([&name](MPI_Comm comm) {
    const Opened file(comm, name);
    Random random(20261127);
    Bytes model;
    for (int round = 0; round < 12; ++round) {
      write_round(file, random, model);
      MPI_File_sync(file.handle);
      MPI_Barrier(comm);
      MPI_File_sync(file.handle);
      read_round(file, random, model);
      MPI_Barrier(comm);
    }
  });
}

}  // namespace
