// SPDX-License-Identifier: BSD-3-Clause
// Classes of sizes: 0, 1, 2 to 3, 4 to 7 and so on.
#pragma once

#include <bit>
#include <cstdint>

namespace raddle::profile {

inline constexpr int size_classes = 42;

/// The last class has all that is larger.
[[gnu::always_inline]] inline int size_class(std::uint64_t bytes) {
  const int wide = static_cast<int>(std::bit_width(bytes));
  return wide < size_classes ? wide : size_classes - 1;
}

}  // namespace raddle::profile
