// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/calls/hints.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "endpoints/errors.hpp"
#include "platform/own_hints.hpp"

namespace raddle::sparse {
namespace {

using endpoints::error_with;
using endpoints::Failure;

[[noreturn]] void bad_value(const std::string& key, std::string_view valid) {
  throw Failure(error_with(MPI_ERR_INFO_VALUE, "Raddle: info key " + key + " must be " + std::string(valid)));
}

void take(const std::string& key, std::string_view value, Options& options) {
  if (key == "raddle_sparse_algorithm") {
    const auto named = platform::sparse_algorithm_named(value);
    if (!named) bad_value(key, platform::sparse_algorithms_valid);
    options.algorithm = *named;
  } else if (key == "raddle_sparse_radix") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.radix);
    const bool valid = error == std::errc{} && end == value.data() + value.size() &&
                       options.radix >= platform::least_sparse_radix && options.radix <= platform::most_sparse_radix;
    if (!valid) bad_value(key, "a number from 2 to 64");
  } else if (key == "raddle_sparse_sorted") {
    if (value != "true" && value != "false") bad_value(key, "'true' or 'false'");
    options.sorted = value == "true";
  } else {
    throw Failure(error_with(MPI_ERR_INFO_KEY, "Raddle: unknown info key " + key +
                                                   "; valid: raddle_sparse_algorithm, raddle_sparse_radix, "
                                                   "raddle_sparse_sorted"));
  }
}

}  // namespace

Options options_of(MPI_Info info) {
  Options options = default_options();
  platform::each_own_hint(info, [&](const std::string& key, std::string_view value) { take(key, value, options); });
  return options;
}

}  // namespace raddle::sparse
