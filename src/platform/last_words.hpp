// SPDX-License-Identifier: BSD-3-Clause
// What a process says before it ends its job.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

namespace raddle::platform {

/// Writes to stderr, and stays a moment: launchers (seen: Hydra) drop what they have not passed on when a job is
/// aborted.
inline void last_words(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace raddle::platform
