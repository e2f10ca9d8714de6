// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/windows/pieces.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace raddle::endpoints {
namespace {

std::vector<std::pair<std::int64_t, std::uint64_t>> list(const Pieces& pieces) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> all;
  for (const Piece& piece : pieces.all()) all.emplace_back(piece.offset, piece.bytes);
  return all;
}

TEST(Pieces, OfNothingAreNone) {
  EXPECT_TRUE(list(Pieces()).empty());
  EXPECT_TRUE(list(Pieces(0)).empty());
  EXPECT_TRUE(Pieces(0).within(-5, 0, 0));
}

TEST(Pieces, ThatTouchAreOne) {
  Shape shape;
  shape.element = {0, 8, nullptr};
  shape.extent = 8;
  const Pieces pieces(shape, 3);
  EXPECT_EQ(list(pieces), (std::vector<std::pair<std::int64_t, std::uint64_t>>{{0, 24}}));
  EXPECT_EQ(pieces.bytes(), 24U);
}

TEST(Pieces, HaveTheGapsOfTheirShape) {
  Shape shape;
  shape.element = shape.repeat({4, 4, nullptr}, 2, 12);
  shape.extent = 32;
  const Pieces pieces(shape, 2);
  EXPECT_EQ(list(pieces), (std::vector<std::pair<std::int64_t, std::uint64_t>>{{4, 4}, {16, 4}, {36, 4}, {48, 4}}));
  EXPECT_EQ(pieces.bytes(), 16U);
}

TEST(Pieces, LieWithinOrNot) {
  Shape shape;
  shape.element = shape.sequence({{-8, 4, nullptr}, {8, 4, nullptr}});
  shape.extent = 16;
  const Pieces pieces(shape, 1);
  EXPECT_TRUE(pieces.within(8, 0, 20));
  EXPECT_FALSE(pieces.within(7, 0, 20));
  EXPECT_FALSE(pieces.within(8, 0, 19));
  EXPECT_FALSE(Pieces(4).within(100, 0, 50));
}

TEST(Pieces, ThatCameWithAMessageAreAsTheyWere) {
  const std::vector<Piece> sent{{8, 4}, {0, 2}};
  EXPECT_EQ(list(Pieces(sent)), (std::vector<std::pair<std::int64_t, std::uint64_t>>{{8, 4}, {0, 2}}));
  EXPECT_EQ(Pieces(sent).bytes(), 6U);
  EXPECT_EQ(list(Pieces(std::vector<Piece>{{3, 5}})), (std::vector<std::pair<std::int64_t, std::uint64_t>>{{3, 5}}));
}

}  // namespace
}  // namespace raddle::endpoints
