// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "partitioned/tags.hpp"

namespace raddle::partitioned {
namespace {

constexpr int greatest_int = std::numeric_limits<int>::max();

/// As a proxy makes the MPI's tag of a distance.
std::int64_t mpis(std::int64_t distance, int greatest) { return distance % (std::int64_t{greatest} + 1); }

TEST(EndpointTags, AreEnoughAndApartForWhateverTagsTheMpiHas) {
  for (int bits = 15; bits <= 31; ++bits) {
    SCOPED_TRACE(bits);
    const auto greatest = static_cast<int>((std::int64_t{1} << bits) - 1);
    const EndpointTags tags = endpoint_tags(true, greatest);
    EXPECT_GE(tags.greatest_data, greatest / 4);
    const std::int64_t notices = mpis(tags.notices, greatest);
    EXPECT_GE(notices, greatest / 1024);  // collectives begin at 0
    EXPECT_EQ(mpis(tags.first_data, greatest), notices + 1);
    EXPECT_EQ(mpis(std::int64_t{tags.first_data} + tags.greatest_data, greatest), notices + 1 + tags.greatest_data);
  }
}

TEST(EndpointTags, AreAsManyForAnyMpiWhereMessagesAreNotItsOwn) {
  for (const int greatest : {32767, (1 << 20) - 1, greatest_int}) {
    const EndpointTags tags = endpoint_tags(false, greatest);
    EXPECT_EQ(tags.greatest_data, endpoint_tags(false, greatest_int).greatest_data);
    EXPECT_LE(std::int64_t{tags.first_data} + tags.greatest_data + (1 << 20), greatest_int);  // they are negative
  }
}

}  // namespace
}  // namespace raddle::partitioned
