// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/hints.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "endpoints/errors.hpp"
#include "platform/own_hints.hpp"

namespace raddle::partitioned {
namespace {

using endpoints::Failure;
using platform::PartPolicy;

[[noreturn]] void bad_value(const std::string& key, std::string_view valid) {
  throw Failure(
      endpoints::error_with(MPI_ERR_INFO_VALUE, "Raddle: info key " + key + " must be " + std::string(valid)));
}

std::size_t number(const std::string& key, std::string_view value, std::size_t most, std::string_view valid) {
  std::size_t parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size() || parsed == 0 || parsed > most) bad_value(key, valid);
  return parsed;
}

void take(const std::string& key, std::string_view value, Hints& hints) {
  if (key == "raddle_part_policy") {
    if (value == "auto") {
      hints.policy = PartPolicy::automatic;
    } else if (value == "none") {
      hints.policy = PartPolicy::none;
    } else if (value == "bulk") {
      hints.policy = PartPolicy::bulk;
    } else if (value == "fixed") {
      hints.policy = PartPolicy::fixed;
    } else {
      bad_value(key, "'auto', 'none', 'bulk' or 'fixed'");
    }
  } else if (key == "raddle_part_min_bytes") {
    hints.min_bytes = number(key, value, std::size_t{1} << 40U, "a number of bytes, at least 1");
  } else if (key == "raddle_part_max_messages") {
    hints.max_messages = static_cast<int>(number(key, value, platform::most_part_messages, "a number from 1 to 256"));
  } else {
    throw Failure(
        endpoints::error_with(MPI_ERR_INFO_KEY, "Raddle: unknown info key " + key +
                                                    "; valid: raddle_part_max_messages, raddle_part_min_bytes, "
                                                    "raddle_part_policy"));
  }
}

}  // namespace

Hints hints_of(MPI_Info info) {
  const platform::Settings& settings = platform::settings();
  Hints hints{settings.part_policy, settings.part_min_bytes, settings.part_max_messages};
  platform::each_own_hint(info, [&](const std::string& key, std::string_view value) { take(key, value, hints); });
  return hints;
}

int per_message(const Hints& hints, int partitions, std::size_t partition_bytes, std::size_t usual) {
  if (partitions == 0) return 1;
  if (hints.policy == PartPolicy::bulk) return partitions;
  const int fewest = (partitions - 1) / hints.max_messages + 1;
  if (hints.policy == PartPolicy::none) return fewest;
  if (partition_bytes == 0) return partitions;
  const std::size_t enough = (hints.min_bytes.value_or(usual) - 1) / partition_bytes + 1;
  return std::max(fewest, static_cast<int>(std::min(enough, static_cast<std::size_t>(partitions))));
}

}  // namespace raddle::partitioned
