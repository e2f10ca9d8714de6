// SPDX-License-Identifier: BSD-3-Clause
#include "core/cpu_list.hpp"

#include <sstream>

namespace raddle::bench {

std::string to_text(const std::vector<std::vector<int>>& lists) {
  std::ostringstream text;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i > 0) text << ',';
    for (std::size_t k = 0; k < lists[i].size(); ++k) text << (k > 0 ? " " : "") << lists[i][k];
  }
  return text.str();
}

std::vector<std::vector<int>> lists_from(const std::string& text) {
  std::vector<std::vector<int>> lists;
  std::istringstream whole(text);
  for (std::string part; std::getline(whole, part, ',');) {
    std::istringstream numbers(part);
    lists.emplace_back();
    for (int cpu = 0; numbers >> cpu;) lists.back().push_back(cpu);
  }
  return lists;
}

}  // namespace raddle::bench
