// SPDX-License-Identifier: BSD-3-Clause
// Messages put together from parts.
#pragma once

#include <sstream>
#include <string>

namespace raddle::bench {

template <typename... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// "a, b, c"
template <typename Range>
std::string join(const Range& items) {
  std::ostringstream out;
  const char* separator = "";
  for (const auto& item : items) {
    out << separator << item;
    separator = ", ";
  }
  return out.str();
}

}  // namespace raddle::bench
