// SPDX-License-Identifier: BSD-3-Clause
#include "core/launch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/plan.hpp"

namespace raddle::bench {
namespace {

Arguments parse(std::vector<std::string> words) {
  words.insert(words.begin(), "raddle-bench");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return parse_arguments(static_cast<int>(argv.size()), argv.data());
}

TEST(ParseArguments, TakesAPlanAndALevel) {
  const Arguments arguments = parse({"--level", "multiple", "--plan", "p.json"});
  EXPECT_EQ(arguments.level, "multiple");
  EXPECT_EQ(arguments.plan, "p.json");
  EXPECT_TRUE(parse({"--list"}).list);
}

TEST(ParseArguments, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(parse({}), PlanError);
  EXPECT_THROW(parse({"--plan"}), PlanError);
  EXPECT_THROW(parse({"--help"}), PlanError);
  EXPECT_THROW(parse({"--plan", "p", "--level", "many"}), PlanError);
}

}  // namespace
}  // namespace raddle::bench
