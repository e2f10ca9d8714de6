// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "endpoints/files/view.hpp"

namespace raddle::endpoints {
namespace {

std::vector<std::pair<std::int64_t, std::int64_t>> runs(const FileView& view, std::int64_t from, std::int64_t bytes) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (FileView::Cursor cursor(view, from, bytes); !cursor.done(); cursor.advance(cursor.run().bytes))
    all.emplace_back(cursor.run().offset, cursor.run().bytes);
  return all;
}

TEST(FileView, OfAllBytesIsOneRun) {
  const FileView view;
  EXPECT_TRUE(view.whole());
  EXPECT_EQ(runs(view, 5, 1000), (std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 1000}}));
  EXPECT_EQ(view.position(17), 17);
}

TEST(FileView, HasThePiecesOfItsTiles) {
  const FileView view(100, Pieces({{4, 2}, {8, 3}}), 20);
  EXPECT_TRUE(view.ascends());
  EXPECT_EQ(runs(view, 1, 8),
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{105, 1}, {108, 3}, {124, 2}, {128, 2}}));
  EXPECT_EQ(view.offset(4), 110);
  EXPECT_EQ(view.position(104), 0);
  EXPECT_EQ(view.position(107), 2);
  EXPECT_EQ(view.position(109), 3);
  EXPECT_EQ(view.position(123), 5);
  EXPECT_EQ(view.position(125), 6);
}

TEST(FileView, WithoutGapsIsWhole) {
  const FileView view(10, Pieces({{2, 8}}), 8);
  EXPECT_TRUE(view.whole());
  EXPECT_EQ(view.offset(0), 12);
  EXPECT_FALSE(FileView(10, Pieces({{2, 8}}), 9).whole());
}

TEST(FileView, TellsWhichTilesAreLegal) {
  EXPECT_FALSE(FileView(0, Pieces({{8, 4}, {0, 4}}), 12).tile_is_legal());
  EXPECT_FALSE(FileView(0, Pieces({{-4, 4}, {8, 4}}), 12).tile_is_legal());
  const FileView twice(0, Pieces({{0, 8}, {4, 8}}), 12);
  EXPECT_TRUE(twice.tile_is_legal());
  EXPECT_TRUE(twice.overlaps());
  const FileView woven(0, Pieces({{0, 4}, {8, 4}}), 4);  // a tile begins inside the one before
  EXPECT_TRUE(woven.tile_is_legal());
  EXPECT_FALSE(woven.ascends());
}

TEST(FileView, OfNothingIsEmpty) {
  const FileView view(7, Pieces(), 16);
  EXPECT_TRUE(view.empty());
  EXPECT_FALSE(view.whole());
  EXPECT_EQ(view.position(1000), 0);
  EXPECT_TRUE(runs(view, 0, 0).empty());
}

/// Positions and offsets belong to each other, for any tile.
TEST(FileView, FindsEachByteAgain) {
  std::mt19937 random(4711);
  const auto below = [&](int end) { return std::uniform_int_distribution(0, end - 1)(random); };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Piece> pieces;
    std::int64_t at = below(3);
    for (int i = 1 + below(5); i > 0; --i) {
      const int bytes = 1 + below(9);
      pieces.push_back({at, static_cast<std::uint64_t>(bytes)});
      at += bytes + 1 + below(5);
    }
    const FileView view(below(50), Pieces(pieces), at + below(4));
    ASSERT_TRUE(view.ascends());
    std::int64_t position = 0;
    for (FileView::Cursor cursor(view, 0, 100); !cursor.done(); cursor.advance(1), ++position) {
      ASSERT_EQ(cursor.run().offset, view.offset(position));
      ASSERT_EQ(view.position(cursor.run().offset), position);
      ASSERT_EQ(view.position(cursor.run().offset + 1), position + 1);
    }
  }
}

}  // namespace
}  // namespace raddle::endpoints
