// SPDX-License-Identifier: BSD-3-Clause
// What the two sides of partitioned requests tell each other beside the data.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace raddle::partitioned {

/// Names one of the requests between two ranks, as either sees it. Requests match in the order in which they were made
/// (MPI-4.1 section 4.2.1), so both sides count those of one peer and tag, and need not meet for that.
struct Name {
  std::int32_t peer;
  std::int32_t tag;  ///< the program's
  std::uint64_t number;

  auto operator<=>(const Name&) const = default;
};

struct Notice {
  enum class Kind : std::int32_t {
    setup,  ///< from the sender, once: a request has been made
    plan,   ///< from the sender: how the next rounds will be divided
    freed,  ///< from the receiver: its request is gone, and the tags with it
  };

  Kind kind = Kind::setup;
  std::int32_t tag = 0;        ///< the program's
  std::int32_t first_tag = 0;  ///< of the request's messages, which are numbered from here on
  std::int32_t groups = 0;
  std::uint64_t number = 0;       ///< of the request; of a plan the first round
  std::uint64_t bytes = 0;        ///< in all
  std::uint64_t group_bytes = 0;  ///< of each group but the last
  std::int32_t adapts = 0;        ///< whether plans will follow
  std::int32_t block_bytes = 0;   ///< not 0: the data go straight into the receiver's buffer, arranged in this memory
  std::array<char, 64> block{};   ///< its address
};

}  // namespace raddle::partitioned
