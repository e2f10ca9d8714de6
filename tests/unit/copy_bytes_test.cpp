// SPDX-License-Identifier: BSD-3-Clause
#include "platform/copy_bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace raddle::platform {
namespace {

constexpr std::size_t longest = 200'000;
constexpr std::size_t margin = 64;
constexpr auto untouched = std::byte{0xa5};

/// Bytes of which no two neighbours are alike, and none is as what must not be touched.
std::vector<std::byte> numbered(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i % 163);
  return bytes;
}

/// Whether a copy of `length` bytes between odd places is right and nothing beside it has changed.
/// @param copy  copies
template <typename Copy = decltype(&copy_bytes)>
void expect_copy(std::size_t length, std::size_t from, std::size_t to, Copy copy = &copy_bytes) {
  static const std::vector<std::byte> source = numbered(longest + 2 * margin);
  static std::vector<std::byte> target(longest + 2 * margin, untouched);
  static std::vector<std::byte> expected(target.size());
  const std::size_t around = margin + length + margin;
  std::memset(target.data(), static_cast<int>(untouched), around);
  std::memset(expected.data(), static_cast<int>(untouched), around);
  std::memcpy(expected.data() + to, source.data() + from, length);
  copy(target.data() + to, source.data() + from, length);
  ASSERT_EQ(std::memcmp(target.data(), expected.data(), around), 0)
      << length << " bytes from offset " << from << " to " << to;
}

TEST(CopyBytes, CopiesAllAndNothingElse) {
  for (std::size_t length = 0; length <= 5000; ++length) {
    expect_copy(length, length % 17, 1 + length % 31);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(CopyBytes, CopiesShortOnesAtAllAlignments) {
  for (std::size_t length = 0; length <= 72; ++length) {
    for (std::size_t from = 0; from < 16; ++from) {
      for (std::size_t to = 0; to < 16; ++to) {
        expect_copy(length, from, to);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

/// From 128 KiB on the way depends on where in their pages the buffers begin.
TEST(CopyBytes, CopiesLongOnesAtAllAlignments) {
  for (const std::size_t length : {std::size_t{131'071}, std::size_t{131'072}, longest}) {
    for (std::size_t from = 0; from < margin; ++from) {
      for (const std::size_t to : {std::size_t{0}, std::size_t{17}, margin - 1}) {
        expect_copy(length, from, to);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(CopyBytes, CopiesPastTheCachesAllAndNothingElse) {
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                   std::size_t{200}, std::size_t{4096}, longest}) {
    for (std::size_t from = 0; from < margin; from += 7) {
      for (std::size_t to = 0; to < margin; ++to) {
        expect_copy(length, from, to, &copy_past_caches);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(KeepLines, ClearsAWordOfEachWholeLineAndNothingElse) {
  constexpr std::size_t line = 64;
  alignas(line) std::array<std::byte, 8 * line> bytes{};
  for (std::size_t begin = 0; begin <= line; ++begin) {
    for (std::size_t length = 0; begin + length <= bytes.size(); ++length) {
      bytes.fill(untouched);
      auto expected = bytes;
      for (std::size_t at = 0; at < bytes.size(); at += line) {
        if (at >= begin && at + line <= begin + length) std::memset(&expected[at], 0, sizeof(std::uint64_t));
      }
      keep_lines(&bytes[begin], length);
      ASSERT_EQ(bytes, expected) << length << " bytes from " << begin;
    }
  }
}

TEST(CopyBytes, NeedsNoBuffersForNothing) { copy_bytes(nullptr, nullptr, 0); }

}  // namespace
}  // namespace raddle::platform
