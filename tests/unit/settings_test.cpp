// SPDX-License-Identifier: BSD-3-Clause
#include "platform/settings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace raddle::platform {
namespace {

Settings parse(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return parse_settings(environment.data());
}

std::string refusal(const char* item) {
  try {
    parse({item});
  } catch (const SettingsError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Settings, DefaultsAndValues) {
  EXPECT_EQ(parse({"PATH=/bin", "MPIR_CVAR_X=1"}).lanes_max, 1024);
  EXPECT_EQ(parse({"RADDLE_LANES_MAX=7"}).lanes_max, 7);
  EXPECT_FALSE(parse({"RADDLE_COUNT_CALLS=0"}).count_calls);
  EXPECT_TRUE(parse({"RADDLE_COUNT_CALLS=1"}).count_calls);
}

TEST(Settings, AMisspeltNameIsAnErrorThatListsTheValidOnes) {
  EXPECT_EQ(refusal("RADDLE_LANE_MAX=7"),
            "unknown environment variable RADDLE_LANE_MAX; valid names: RADDLE_COUNT_CALLS, RADDLE_HOME, "
            "RADDLE_LANES_MAX");
}

TEST(Settings, ABadValueSaysWhatIsValid) {
  for (const char* item : {"RADDLE_LANES_MAX=", "RADDLE_LANES_MAX=0", "RADDLE_LANES_MAX=-3", "RADDLE_LANES_MAX=7x",
                           "RADDLE_LANES_MAX=99999999999"}) {
    EXPECT_NE(refusal(item).find("valid: an integer >= 1"), std::string::npos) << item;
  }
  EXPECT_EQ(refusal("RADDLE_COUNT_CALLS=yes"), "RADDLE_COUNT_CALLS is 'yes'; valid: 0 or 1");
}

}  // namespace
}  // namespace raddle::platform
