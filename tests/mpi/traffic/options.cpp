// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>

#include "allowance.hpp"
#include "core/text.hpp"

namespace raddle::traffic {
namespace {

constexpr const char* usage =
    "traffic [--contexts processes|threads] [--endpoints [--uneven]] [--threads N] [--sharing N] [--seed N]"
    " [--messages N] [--seconds X] [--patience X] [--spare] [--default-handlers]";

template <typename T>
T number(const std::string& option, const char* value) {
  T result{};
  const char* end = value + std::strlen(value);
  const auto [stop, error] = std::from_chars(value, end, result);
  if (error != std::errc() || stop != end || !(result > T{}))
    throw std::invalid_argument(bench::text(option, " wants a number above 0, not '", value, "'"));
  return result;
}

}  // namespace

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--endpoints") {
      options.endpoints = options.threads = true;
      continue;
    }
    if (option == "--spare") {
      options.spare = true;
      continue;
    }
    if (option == "--default-handlers") {
      options.default_handlers = true;
      continue;
    }
    if (option == "--uneven") {
      options.uneven = true;
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument(usage);
    const char* value = argv[++i];
    if (option == "--contexts" && (!std::strcmp(value, "processes") || !std::strcmp(value, "threads"))) {
      options.threads = !std::strcmp(value, "threads");
    } else if (option == "--threads") {
      options.per_process = number<int>(option, value);
    } else if (option == "--sharing") {
      options.sharing = number<int>(option, value);
    } else if (option == "--seed") {
      options.seed = number<std::uint64_t>(option, value);
    } else if (option == "--messages") {
      options.messages = number<std::uint64_t>(option, value);
    } else if (option == "--seconds") {
      options.seconds = number<double>(option, value);
    } else if (option == "--patience") {
      options.patience = number<double>(option, value);
    } else {
      throw std::invalid_argument(usage);
    }
  }
  options.seconds = allowed(options.seconds);
  return options;
}

}  // namespace raddle::traffic
