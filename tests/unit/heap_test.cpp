// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "effort.hpp"
#include "engines/proxy/area.hpp"
#include "node/shared_segment.hpp"

namespace raddle::proxy {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

TEST(Heap, GivesWhatNobodyElseHas) {
  const auto memory = node::SharedSegment::create(8 * mebibyte);
  Heap heap(memory.bytes());
  const std::uint64_t seed = test::new_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto act = [&](std::uint64_t number) {
    std::mt19937_64 random(seed + number);
    struct Piece {
      unsigned char* at;
      std::size_t bytes;
      unsigned char mark;
    };
    std::vector<Piece> held;
    for (int i = 0; i < 3000 * test::effort(); ++i) {
      if (held.size() > 20 || (!held.empty() && random() % 3 == 0)) {
        const std::size_t which = random() % held.size();
        for (std::size_t k = 0; k < held[which].bytes; ++k) ASSERT_EQ(held[which].at[k], held[which].mark);
        heap.free(held[which].at);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
      } else {
        const std::size_t bytes = random() % 5000;
        const std::size_t alignment = std::size_t{1} << (random() % 9);
        auto* const at = static_cast<unsigned char*>(heap.allocate(bytes, alignment));
        ASSERT_NE(at, nullptr);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0U);
        ASSERT_TRUE(heap.contains(at, bytes));
        held.push_back({at, bytes, static_cast<unsigned char>(random())});
        std::memset(at, held.back().mark, bytes);
      }
    }
    for (const Piece& piece : held) heap.free(piece.at);
  };
  std::thread other(act, 1);
  act(0);
  other.join();
  void* const most = heap.allocate(7 * mebibyte);  // all came back in one piece
  EXPECT_NE(most, nullptr);
  heap.free(most);
}

TEST(Heap, SaysWhenItHasNoMore) {
  const auto memory = node::SharedSegment::create(mebibyte);
  Heap heap(memory.bytes());
  EXPECT_EQ(heap.allocate(mebibyte), nullptr);
  EXPECT_EQ(heap.allocate(~std::size_t{0}), nullptr);
  void* const some = heap.allocate(mebibyte / 2);
  EXPECT_NE(some, nullptr);
  EXPECT_EQ(heap.allocate(mebibyte / 2), nullptr);
  heap.free(some);
  heap.free(nullptr);
}

TEST(Heap, KnowsItsOwn) {
  const auto memory = node::SharedSegment::create(mebibyte);
  const Heap heap(memory.bytes());
  const std::byte* const first = memory.bytes().data();
  EXPECT_TRUE(heap.contains(first, mebibyte));
  EXPECT_FALSE(heap.contains(first, mebibyte + 1));
  EXPECT_FALSE(heap.contains(first - 1, 1));
  EXPECT_FALSE(heap.contains(first + mebibyte, 0));
  EXPECT_FALSE(heap.contains(nullptr, 0));
}

}  // namespace
}  // namespace raddle::proxy
