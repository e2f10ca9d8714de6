// SPDX-License-Identifier: BSD-3-Clause
#include "platform/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "platform/settings_table.hpp"

namespace raddle::platform {
namespace {

constexpr std::string_view prefix = "RADDLE_";

std::string valid_names() {
  std::string names;
  for (const Setting& setting : settings_table) names += (names.empty() ? "" : ", ") + std::string(setting.name);
  return names;
}

/// The info key of a setting.
std::string key_of(const Setting& setting) {
  std::string key(setting.name);
  std::ranges::transform(key, key.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return key;
}

std::string valid_keys(HintScope of) {
  std::string keys;
  for (const Setting& setting : settings_table) {
    if (setting.hints == of) keys += (keys.empty() ? "" : ", ") + key_of(setting);
  }
  return keys;
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
    const auto* const setting = std::ranges::find(settings_table, name, &Setting::name);
    if (setting == settings_table.end()) {
      throw SettingsError("unknown environment variable " + std::string(name) + "; valid names: " + valid_names());
    }
    if (!setting->take(value, settings)) {
      throw SettingsError(std::string(name) + " is '" + std::string(value) +
                          "'; valid: " + std::string(setting->valid));
    }
  }
  return settings;
}

void take_hint(HintScope of, std::string_view key, std::string_view value, Settings& settings) {
  const auto* const setting =
      std::ranges::find_if(settings_table, [&](const Setting& one) { return one.hints == of && key_of(one) == key; });
  if (setting == settings_table.end())
    throw HintError(true, "unknown info key " + std::string(key) + "; valid: " + valid_keys(of));
  const bool flag = setting->valid == on_or_off;
  const std::string_view meant = !flag ? value : value == "true" ? "1" : value == "false" ? "0" : "";
  if (!setting->take(meant, settings)) {
    throw HintError(false, "info key " + std::string(key) + " is '" + std::string(value) +
                               "'; valid: " + (flag ? "true or false" : std::string(setting->valid)));
  }
}

const Settings& settings() {
  static const Settings parsed = parse_settings(environ);
  return parsed;
}

}  // namespace raddle::platform
