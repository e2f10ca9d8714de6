// SPDX-License-Identifier: BSD-3-Clause
// Lists of CPUs as text, for the processes of a launch to exchange.
#pragma once

#include <string>
#include <vector>

namespace raddle::bench {

/// "0 1,4" for {{0, 1}, {4}}
std::string to_text(const std::vector<std::vector<int>>& lists);
std::vector<std::vector<int>> lists_from(const std::string& text);

}  // namespace raddle::bench
