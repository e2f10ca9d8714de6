// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/own_variables.hpp"

#include <algorithm>
#include <string_view>

namespace raddle::ranks {
namespace {

/// A name, and which of the places it has.
struct Named {
  std::string_view name;
  int place;
};

constexpr Named names[] = {
    {"optarg", 0},  {"optind", 1},    {"opterr", 2},   {"optopt", 3}, {"signgam", 4}, {"__signgam", 4},
    {"environ", 5}, {"__environ", 5}, {"_environ", 5}, {"stdin", 6},  {"stdout", 7},  {"stderr", 8},
};

}  // namespace

void** Variables::place_of(const char* name) {
  const auto* const found = std::ranges::find(names, std::string_view(name), &Named::name);
  return found == std::end(names) ? nullptr : places_ + found->place;
}

bool is_own_variable(const char* name) {
  return std::ranges::find(names, std::string_view(name), &Named::name) != std::end(names);
}

}  // namespace raddle::ranks
