// SPDX-License-Identifier: BSD-3-Clause
#include "platform/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace raddle::platform {
namespace {

constexpr std::string_view prefix = "RADDLE_";

struct Entry {
  std::string_view name;
  std::string_view valid;  ///< what people may write
  /// Takes the value; false if it is bad.
  bool (*take)(std::string_view value, Settings& settings);
};

bool take_positive(std::string_view value, int& result) {
  int parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size() || parsed < 1) return false;
  result = parsed;
  return true;
}

// Alphabetical; documented in raddle.h and nowhere else.
constexpr std::array entries{
    Entry{"RADDLE_COUNT_CALLS", "0 or 1",
          [](std::string_view v, Settings& s) {
            s.count_calls = v == "1";
            return v == "0" || v == "1";
          }},
    Entry{"RADDLE_HOME", "a directory (used by the command)", [](std::string_view, Settings&) { return true; }},
    Entry{"RADDLE_LANES_MAX", "an integer >= 1",
          [](std::string_view v, Settings& s) { return take_positive(v, s.lanes_max); }},
};

std::string valid_names() {
  std::string names;
  for (const Entry& entry : entries) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

}  // namespace

Settings parse_settings(const char* const* environment) {
  Settings settings;
  for (; *environment != nullptr; ++environment) {
    const std::string_view item = *environment;
    if (!item.starts_with(prefix)) continue;
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view{} : item.substr(equals + 1);
    const auto* const entry = std::ranges::find(entries, name, &Entry::name);
    if (entry == entries.end()) {
      throw SettingsError("unknown environment variable " + std::string(name) + "; valid names: " + valid_names());
    }
    if (!entry->take(value, settings)) {
      throw SettingsError(std::string(name) + " is '" + std::string(value) + "'; valid: " + std::string(entry->valid));
    }
  }
  return settings;
}

const Settings& settings() {
  static const Settings parsed = parse_settings(environ);
  return parsed;
}

}  // namespace raddle::platform
