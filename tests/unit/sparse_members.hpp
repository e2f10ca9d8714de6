// SPDX-License-Identifier: BSD-3-Clause
// What members of a board send each other in tests: everybody can work it out.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sparse/arrivals.hpp"

namespace raddle::sparse {

using Bytes = std::vector<std::byte>;

/// What a sender's memory becomes once it is its own again. Here and below all at once: byte by byte takes long under
/// ThreadSanitizer.
inline void spoil(Bytes& bytes) {
  if (!bytes.empty()) std::memset(bytes.data(), 0xEE, bytes.size());
}

struct Traffic {
  std::vector<int> ranks;
  std::vector<std::size_t> sizes;  ///< that messages have
  unsigned most;                   ///< messages of one rank, less one
  unsigned seed;

  [[nodiscard]] std::vector<std::pair<int, Bytes>> sent_by(int rank, std::uint64_t round) const {
    std::mt19937 random(seed + static_cast<unsigned>(rank) * 7919U + static_cast<unsigned>(round) * 104729U);
    std::vector<std::pair<int, Bytes>> messages;
    const unsigned count = random() % most;
    for (unsigned i = 0; i < count; ++i) {
      Bytes bytes(sizes[random() % sizes.size()], static_cast<std::byte>(random()));
      messages.emplace_back(ranks[random() % ranks.size()], std::move(bytes));
    }
    return messages;
  }

  /// Says nothing more once a test has failed: its other threads go on, for nobody would wait for one that does not.
  void expect_all(int rank, std::uint64_t round, Arrivals&& arrivals) const {
    if (::testing::Test::HasFailure()) return;
    SCOPED_TRACE("seed " + std::to_string(seed) + ", rank " + std::to_string(rank) + ", round " +
                 std::to_string(round));
    std::vector<std::pair<int, Bytes>> expected;
    for (const int from : ranks) {
      for (auto& [to, bytes] : sent_by(from, round)) {
        if (to == rank) expected.emplace_back(from, std::move(bytes));
      }
    }
    const Rows rows = std::move(arrivals).rows(true);
    ASSERT_EQ(rows.ranks.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto& [from, bytes] = expected[i];
      EXPECT_EQ(rows.ranks[i], from);
      ASSERT_EQ(rows.offsets[i + 1] - rows.offsets[i], bytes.size());
      ASSERT_TRUE(bytes.empty() || std::memcmp(rows.data.get() + rows.offsets[i], bytes.data(), bytes.size()) == 0)
          << "message " << i;
    }
  }
};

}  // namespace raddle::sparse
