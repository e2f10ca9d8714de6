// SPDX-License-Identifier: BSD-3-Clause
#include "platform/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace raddle::platform {
namespace {

constexpr std::string_view prefix = "RADDLE_";

struct Entry {
  std::string_view name;
  std::string_view valid;  ///< what people may write
  /// Takes the value; false if it is bad.
  bool (*take)(std::string_view value, Settings& settings);
};

/// All of `value` as a number of that type.
template <typename Number>
std::optional<Number> number(std::string_view value) {
  Number parsed{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
  return parsed;
}

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};

template <typename Value, std::size_t count>
bool take_word(std::string_view value, const Word<Value> (&words)[count], Value& result) {
  const auto* const found = std::ranges::find(words, value, &Word<Value>::word);
  if (found == std::end(words)) return false;
  result = found->value;
  return true;
}

// Alphabetical; documented in raddle.h and nowhere else.
constexpr std::array entries{
    Entry{"RADDLE_COUNT_CALLS", "0 or 1",
          [](std::string_view v, Settings& s) { return take_word(v, {{"0", false}, {"1", true}}, s.count_calls); }},
    Entry{"RADDLE_EAGER", "an integer >= 0 (bytes)",
          [](std::string_view v, Settings& s) { return (s.eager = number<std::size_t>(v)).has_value(); }},
    Entry{"RADDLE_ENGINE", "direct or proxy",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"direct", Engine::direct}, {"proxy", Engine::proxy}}, s.engine);
          }},
    Entry{"RADDLE_HOME", "a directory (used by the command)", [](std::string_view, Settings&) { return true; }},
    Entry{"RADDLE_LANES_MAX", "an integer >= 1",
          [](std::string_view v, Settings& s) { return (s.lanes_max = number<int>(v).value_or(0)) >= 1; }},
    Entry{"RADDLE_NODE", "host or rank",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"host", Node::host}, {"rank", Node::rank}}, s.node);
          }},
    Entry{"RADDLE_PARTITIONED", "0 or 1",
          [](std::string_view v, Settings& s) { return take_word(v, {{"0", false}, {"1", true}}, s.partitioned); }},
    Entry{"RADDLE_PART_DIRECT", "0 or 1",
          [](std::string_view v, Settings& s) { return take_word(v, {{"0", false}, {"1", true}}, s.part_direct); }},
    Entry{"RADDLE_PART_LANES", "an integer from 1 to 64",
          [](std::string_view v, Settings& s) {
            s.part_lanes = number<int>(v).value_or(0);
            return s.part_lanes >= 1 && s.part_lanes <= 64;
          }},
    Entry{"RADDLE_PART_MAX_MESSAGES", "an integer from 1 to 256",
          [](std::string_view v, Settings& s) {
            s.part_max_messages = number<int>(v).value_or(0);
            return s.part_max_messages >= 1 && s.part_max_messages <= most_part_messages;
          }},
    Entry{"RADDLE_PART_MIN_BYTES", "an integer >= 1 (bytes)",
          [](std::string_view v, Settings& s) {
            s.part_min_bytes = number<std::size_t>(v);
            return s.part_min_bytes.value_or(0) >= 1;
          }},
    Entry{"RADDLE_PART_POLICY", "auto, none, bulk or fixed",
          [](std::string_view v, Settings& s) {
            return take_word(v,
                             {{"auto", PartPolicy::automatic},
                              {"none", PartPolicy::none},
                              {"bulk", PartPolicy::bulk},
                              {"fixed", PartPolicy::fixed}},
                             s.part_policy);
          }},
    Entry{"RADDLE_PROXIES", "an integer from 0 to 1024",
          [](std::string_view v, Settings& s) {
            s.proxies = number<int>(v).value_or(-1);
            return s.proxies >= 0 && s.proxies <= 1024;
          }},
    Entry{"RADDLE_PROXY_CPUS", "CPUs as 0-3,8",
          [](std::string_view v, Settings& s) {
            s.proxy_cpus = v;
            return !v.empty() && v.find_first_not_of("0123456789,-") == std::string_view::npos;
          }},
    Entry{"RADDLE_PROXY_HEAP", "an integer >= 1 (MiB)",
          [](std::string_view v, Settings& s) {
            s.proxy_heap = number<std::size_t>(v);
            return s.proxy_heap && *s.proxy_heap >= 1 && *s.proxy_heap < (std::size_t{1} << 30U);
          }},
    Entry{"RADDLE_PROXY_OVERSUBSCRIBE", "0 or 1",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"0", false}, {"1", true}}, s.proxy_oversubscribe);
          }},
    Entry{"RADDLE_PROXY_PROGRESS", "wait or async",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"wait", ProxyProgress::wait}, {"async", ProxyProgress::async}}, s.proxy_progress);
          }},
    Entry{"RADDLE_PROXY_START", "split or spawn",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"split", ProxyStart::split}, {"spawn", ProxyStart::spawn}}, s.proxy_start);
          }},
    Entry{"RADDLE_SINGLE_COPY", "auto or off",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"auto", SingleCopy::automatic}, {"off", SingleCopy::off}}, s.single_copy);
          }},
    Entry{"RADDLE_SPARSE_ALGORITHM", sparse_algorithms_valid,
          [](std::string_view v, Settings& s) {
            const auto named = sparse_algorithm_named(v);
            if (named) s.sparse_algorithm = *named;
            return named.has_value();
          }},
    Entry{"RADDLE_SPARSE_LANES", "an integer from 1 to 64",
          [](std::string_view v, Settings& s) {
            s.sparse_lanes = number<int>(v).value_or(0);
            return s.sparse_lanes >= 1 && s.sparse_lanes <= most_sparse_lanes;
          }},
    Entry{"RADDLE_SPARSE_RADIX", "an integer from 2 to 64",
          [](std::string_view v, Settings& s) {
            s.sparse_radix = number<int>(v).value_or(0);
            return s.sparse_radix >= least_sparse_radix && s.sparse_radix <= most_sparse_radix;
          }},
    Entry{"RADDLE_SPARSE_SORTED", "0 or 1",
          [](std::string_view v, Settings& s) { return take_word(v, {{"0", false}, {"1", true}}, s.sparse_sorted); }},
    Entry{"RADDLE_THREAD_LEVEL", "multiple or program",
          [](std::string_view v, Settings& s) {
            return take_word(v, {{"multiple", ThreadLevel::multiple}, {"program", ThreadLevel::program}},
                             s.thread_level);
          }},
    Entry{"RADDLE_WATCHDOG", "a number of seconds >= 0; 0 is off",
          [](std::string_view v, Settings& s) {
            s.watchdog = number<double>(v).value_or(-1);
            return std::isfinite(s.watchdog) && s.watchdog >= 0;
          }},
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
