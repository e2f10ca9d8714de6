// SPDX-License-Identifier: BSD-3-Clause
// How long random tests go on, and with which numbers: TEST_EFFORT=20 makes them twenty times as long, TEST_SEED=n
// repeats what failed with that seed.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace raddle::test {

inline int effort() {
  const char* const times = std::getenv("TEST_EFFORT");
  return times == nullptr ? 1 : std::stoi(times);
}

inline std::uint64_t new_seed() {
  const char* const seed = std::getenv("TEST_SEED");
  return seed == nullptr ? std::random_device{}() : std::stoull(seed);
}

}  // namespace raddle::test
