// SPDX-License-Identifier: BSD-3-Clause
// What is exchanged, in bytes: what they mean is the caller's.
#pragma once

#include <cstddef>
#include <span>

namespace raddle::sparse {

/// To a rank, or from one.
struct Message {
  int rank;
  std::span<const std::byte> bytes;
};

}  // namespace raddle::sparse
