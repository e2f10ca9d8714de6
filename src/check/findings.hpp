// SPDX-License-Identifier: BSD-3-Clause
// What is found, written as it is found: a process that is killed at once has told it. Under the lock.
#pragma once

#include <cstdint>
#include <string>

#include "check/thread.hpp"

namespace raddle::check {

struct Finding {
  const char* rule;
  Site site;
  Site other{};          ///< thread -1: no other call is involved
  std::string detail{};  ///< members of the JSON object, each with a comma in front
  std::uint64_t times = 1;
};
/// The same rule at the same places again is only counted.
void found(const Finding& one);

/// Any line of JSON.
void write_line(const std::string& text);
/// How often each was found.
void write_counts();

std::string quoted(const std::string& text);
/// A call as JSON, without the braces.
std::string told(const Site& site);

/// Chooses the directory; nullptr: nothing is written. And whether there is one.
void write_into(const char* directory);

}  // namespace raddle::check
