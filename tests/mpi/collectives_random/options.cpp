// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <charconv>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "../traffic/allowance.hpp"
#include "core/text.hpp"

namespace raddle::collectives {
namespace {

constexpr const char* usage =
    "collectives_random [--endpoints [--threads N] [--uneven]] [--derived] [--topologies] [--spare] [--trace] "
    "[--default-handlers] [--seed N]"
    " [--rounds N] [--seconds X] [--patience X]";

template <typename T>
void number(const std::string& option, const char* value, T& result) {
  const char* end = value + std::strlen(value);
  const auto [stop, error] = std::from_chars(value, end, result);
  if (error != std::errc() || stop != end || !(result > T{}))
    throw std::invalid_argument(bench::text(option, " wants a number above 0, not '", value, "'"));
}

}  // namespace

Options parse(int argc, char** argv) {
  Options options;
  const std::map<std::string, bool*> switches{{"--endpoints", &options.endpoints},
                                              {"--uneven", &options.uneven},
                                              {"--derived", &options.derived},
                                              {"--topologies", &options.topologies},
                                              {"--spare", &options.spare},
                                              {"--trace", &options.trace},
                                              {"--default-handlers", &options.default_handlers}};
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (const auto found = switches.find(option); found != switches.end()) {
      *found->second = true;
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument(usage);
    const char* value = argv[++i];
    if (option == "--threads") {
      number(option, value, options.per_process);
    } else if (option == "--seed") {
      number(option, value, options.seed);
    } else if (option == "--rounds") {
      number(option, value, options.rounds);
    } else if (option == "--seconds") {
      number(option, value, options.seconds);
    } else if (option == "--patience") {
      number(option, value, options.patience);
    } else {
      throw std::invalid_argument(usage);
    }
  }
  options.seconds = traffic::allowed(options.seconds);
  return options;
}

}  // namespace raddle::collectives
