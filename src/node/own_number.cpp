// SPDX-License-Identifier: BSD-3-Clause
#include "node/own_number.hpp"

#include <random>

namespace raddle::node {

const std::uint64_t& own_number() {
  static const std::uint64_t own = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32U) | random();
  }();
  return own;
}

}  // namespace raddle::node
