// SPDX-License-Identifier: BSD-3-Clause
// Every RADDLE_* variable and every info key raddle_*, what each takes and what it means. The one place that says so:
// settings.cpp reads values by it, and tools/write_reference.py makes docs/use/reference.md, the manual and the list in
// raddle.h of it, for which all but the function are plain strings in this order.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "platform/settings.hpp"
#include "platform/sparse_algorithm.hpp"

namespace raddle::platform {

struct Setting {
  std::string_view name;
  HintScope hints;              ///< which functions have an info key of this name, in lower case
  std::string_view valid;       ///< what people may write
  std::string_view by_default;  ///< what holds when they write nothing
  std::string_view meaning;
  /// Takes the value; false if it is bad.
  bool (*take)(std::string_view value, Settings& settings);
};

/// What `valid` is of a setting that is on or off; its info key is "true" or "false".
inline constexpr std::string_view on_or_off = "0 or 1";

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

inline bool take_flag(std::string_view value, bool& result) {
  return take_word(value, {{"0", false}, {"1", true}}, result);
}

inline bool take_integer(std::string_view value, int least, int most, int& result) {
  result = number<int>(value).value_or(least - 1);
  return result >= least && result <= most;
}

inline constexpr Word<EngineName> engine_words[] = {
#define RADDLE_ENGINE(name) {#name, EngineName::name},
#include "platform/engine_list.def"
#undef RADDLE_ENGINE
};

// Alphabetical.
inline constexpr std::array settings_table{
    Setting{"RADDLE_COUNT_CALLS", HintScope::none, "0 or 1", "0",
            "1: each process tells on stderr, when it ends, how often each MPI function was called through libraddle",
            [](std::string_view v, Settings& s) { return take_flag(v, s.count_calls); }},
    Setting{"RADDLE_EAGER", HintScope::none, "an integer >= 0 (bytes)", "the engine's choice",
            "bytes up to which a message between endpoints of one node is copied through the receiver's inbox at once; "
            "longer ones wait for their receive, but for those to another process, from 32 KiB on, that a ring has "
            "room for",
            [](std::string_view v, Settings& s) { return (s.eager = number<std::size_t>(v)).has_value(); }},
    Setting{"RADDLE_ENGINE", HintScope::endpoints, "direct or proxy", "direct",
            "direct: endpoints meet in memory and on lanes; proxy: processes of their own call the MPI for them "
            "(docs/build/engines.md)",
            [](std::string_view v, Settings& s) { return take_word(v, engine_words, s.engine); }},
    Setting{"RADDLE_HOME", HintScope::none, "a directory", "raddle in the user's cache directory",
            "where the command keeps the MPIs that it has installed, and the builds of an installed package, and where "
            "libraddle keeps what messages cost (docs/use/partitioned.md)",
            [](std::string_view, Settings&) { return true; }},
    Setting{"RADDLE_LANES_MAX", HintScope::none, "an integer >= 1", "1024",
            "lanes that the pool of one communicator may hold before Raddle_Lanes_create fails with the class that "
            "Raddle_Err_lanes gives (communicators are few: MPICH has 2048 a process)",
            [](std::string_view v, Settings& s) { return (s.lanes_max = number<int>(v).value_or(0)) >= 1; }},
    Setting{"RADDLE_LANES_REUSE", HintScope::lanes, "0 or 1", "1",
            "1: Raddle_Lanes_create takes idle lanes from the pool; 0: it makes new ones",
            [](std::string_view v, Settings& s) { return take_flag(v, s.lanes_reuse); }},
    Setting{
        "RADDLE_NODE", HintScope::none, "host or rank", "host",
        "host: processes that share memory are one node; rank: every process is a node of its own, so that endpoints "
        "of two processes meet through the MPI only",
        [](std::string_view v, Settings& s) {
          return take_word(v, {{"host", NodeScope::host}, {"rank", NodeScope::rank}}, s.node);
        }},
    Setting{
        "RADDLE_PARTITIONED", HintScope::communicators, "0 or 1", "0",
        "1: partitioned communication (MPI_Psend_init and its relatives) is Raddle's and not the MPI's; the variable "
        "says so for all communicators, made from now on or predefined, the info key for one, as "
        "Raddle_Partitioned_attach does",
        [](std::string_view v, Settings& s) { return take_flag(v, s.partitioned); }},
    Setting{
        "RADDLE_PART_DIRECT", HintScope::none, "0 or 1", "1",
        "1: between processes or endpoints of a node partitions go straight into the receiver's buffer; 0: they always "
        "travel in messages",
        [](std::string_view v, Settings& s) { return take_flag(v, s.part_direct); }},
    Setting{"RADDLE_PART_LANES", HintScope::none, "an integer from 1 to 64", "1",
            "lanes over which the messages of partitioned sends are spread",
            [](std::string_view v, Settings& s) { return take_integer(v, 1, 64, s.part_lanes); }},
    Setting{
        "RADDLE_PART_MAX_MESSAGES", HintScope::partitioned, "an integer from 1 to 256", "256",
        "messages that a partitioned send may have",
        [](std::string_view v, Settings& s) { return take_integer(v, 1, most_part_messages, s.part_max_messages); }},
    Setting{"RADDLE_PART_MIN_BYTES", HintScope::partitioned, "an integer >= 1 (bytes)", "Raddle's choice",
            "bytes that a message of a partitioned send should have at least",
            [](std::string_view v, Settings& s) {
              s.part_min_bytes = number<std::size_t>(v);
              return s.part_min_bytes.value_or(0) >= 1;
            }},
    Setting{
        "RADDLE_PART_POLICY", HintScope::partitioned, "auto, none, bulk or fixed", "auto",
        "which partitions make a message. auto: adapts to when they become ready; none: each one by itself, as far as "
        "the messages suffice; bulk: all together; fixed: groups of RADDLE_PART_MIN_BYTES",
        [](std::string_view v, Settings& s) {
          return take_word(v,
                           {{"auto", PartPolicy::automatic},
                            {"none", PartPolicy::none},
                            {"bulk", PartPolicy::bulk},
                            {"fixed", PartPolicy::fixed}},
                           s.part_policy);
        }},
    Setting{
        "RADDLE_PROXIES", HintScope::none, "an integer from 0 to 1024", "0",
        "of each 1 + N ranks that the launcher starts the first is the program's, the others are its proxies. raddle "
        "exec --engine proxy sets it",
        [](std::string_view v, Settings& s) { return take_integer(v, 0, 1024, s.proxies); }},
    Setting{"RADDLE_PROXY_CPUS", HintScope::none, "CPUs as 0-3,8, in 255 characters at most",
            "cores that the program's processes leave free", "where the proxies of a node go, one each",
            [](std::string_view v, Settings& s) {
              s.proxy_cpus = v;
              return !v.empty() && v.size() <= most_cpus_characters &&
                     v.find_first_not_of("0123456789,-") == std::string_view::npos;
            }},
    Setting{"RADDLE_PROXY_HEAP", HintScope::none, "an integer >= 1 (MiB)", "a quarter of the machine's memory",
            "MiB of memory that each process shares with its proxies. Only what is used takes room",
            [](std::string_view v, Settings& s) {
              s.proxy_heap = number<std::size_t>(v);
              return s.proxy_heap && *s.proxy_heap >= 1 && *s.proxy_heap < (std::size_t{1} << 30U);
            }},
    Setting{"RADDLE_PROXY_OVERSUBSCRIBE", HintScope::none, "0 or 1", "0",
            "0: proxies have a core each, or the job does not begin; 1: they may share",
            [](std::string_view v, Settings& s) { return take_flag(v, s.proxy_oversubscribe); }},
    Setting{"RADDLE_PROXY_PROGRESS", HintScope::none, "wait or async", "wait",
            "wait: a proxy sleeps while nobody waits for it; async: it goes on while anything is under way",
            [](std::string_view v, Settings& s) {
              return take_word(v, {{"wait", ProxyProgress::wait}, {"async", ProxyProgress::async}}, s.proxy_progress);
            }},
    Setting{"RADDLE_PROXY_START", HintScope::none, "split or spawn", "split",
            "split: the launcher starts proxies; spawn: processes do, by MPI_Comm_spawn",
            [](std::string_view v, Settings& s) {
              return take_word(v, {{"split", ProxyStart::split}, {"spawn", ProxyStart::spawn}}, s.proxy_start);
            }},
    Setting{"RADDLE_SINGLE_COPY", HintScope::none, "auto or off", "auto",
            "auto: large messages between processes of a node are copied straight from the sender's memory where the "
            "system allows it; off: never",
            [](std::string_view v, Settings& s) {
              return take_word(v, {{"auto", SingleCopy::automatic}, {"off", SingleCopy::off}}, s.single_copy);
            }},
    Setting{
        "RADDLE_SPARSE_ALGORITHM", HintScope::sparse, sparse_algorithms_valid, "auto",
        "how sparse exchanges are made. auto: chosen by the size of the job and by what each costs here; the others "
        "are described in docs/use/sparse.md. The info key is the same on all processes",
        [](std::string_view v, Settings& s) {
          const auto named = sparse_algorithm_named(v);
          if (named) s.sparse_algorithm = *named;
          return named.has_value();
        }},
    Setting{
        "RADDLE_SPARSE_LANES", HintScope::none, "an integer from 1 to 64", "2",
        "nonblocking sparse exchanges of one communicator that are under way at the same time; further ones wait for "
        "these",
        [](std::string_view v, Settings& s) { return take_integer(v, 1, most_sparse_lanes, s.sparse_lanes); }},
    Setting{"RADDLE_SPARSE_RADIX", HintScope::sparse, "an integer from 2 to 64", "4",
            "base of the digits of the distance between ranks, along which the algorithm nary passes messages on "
            "(docs/use/sparse.md). The info key is the same on all processes",
            [](std::string_view v, Settings& s) {
              return take_integer(v, least_sparse_radix, most_sparse_radix, s.sparse_radix);
            }},
    Setting{"RADDLE_SPARSE_SORTED", HintScope::sparse, "0 or 1", "0",
            "0: messages of a sparse exchange lie in the order in which they arrived; 1: by source. May differ between "
            "processes",
            [](std::string_view v, Settings& s) { return take_flag(v, s.sparse_sorted); }},
    Setting{
        "RADDLE_THREAD_LEVEL", HintScope::none, "multiple or program", "multiple",
        "multiple: MPI_Init and MPI_Init_thread ask for MPI_THREAD_MULTIPLE; program: for what the program asks for",
        [](std::string_view v, Settings& s) {
          return take_word(v, {{"multiple", ThreadLevel::multiple}, {"program", ThreadLevel::program}}, s.thread_level);
        }},
    Setting{"RADDLE_WATCHDOG", HintScope::none, "a number of seconds >= 0; 0 is off", "0",
            "a blocked call that waits for more seconds than this prints what every endpoint of its process waits for",
            [](std::string_view v, Settings& s) {
              s.watchdog = number<double>(v).value_or(-1);
              return std::isfinite(s.watchdog) && s.watchdog >= 0;
            }},
};

}  // namespace raddle::platform
