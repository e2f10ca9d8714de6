// SPDX-License-Identifier: BSD-3-Clause
// RADDLE_* environment variables and raddle_* info keys: one table (settings_table.hpp), checked as a whole, so that a
// misspelt name is an error and not a silence.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "platform/sparse_algorithm.hpp"

namespace raddle::platform {

enum class EngineName {
#define RADDLE_ENGINE(name) name,
#include "platform/engine_list.def"
#undef RADDLE_ENGINE
};
enum class NodeScope { host, rank };
enum class PartPolicy { automatic, none, bulk, fixed };
enum class ProxyProgress { wait, async };
enum class ProxyStart { split, spawn };
enum class SingleCopy { automatic, off };
enum class ThreadLevel { multiple, program };

/// Messages that a partitioned send may have.
constexpr int most_part_messages = 256;

/// Of a list of CPUs, which goes to the proxies in one piece.
constexpr std::size_t most_cpus_characters = 255;

/// What each means stands in settings_table.hpp.
struct Settings {
  bool count_calls = false;
  std::optional<std::size_t> eager;  ///< bytes; none: the engine's choice
  EngineName engine{};
  int lanes_max = 1024;
  bool lanes_reuse = true;
  NodeScope node = NodeScope::host;
  bool partitioned = false;
  bool part_direct = true;
  int part_lanes = 1;
  int part_max_messages = most_part_messages;
  std::optional<std::size_t> part_min_bytes;  ///< none: Raddle's choice
  PartPolicy part_policy = PartPolicy::automatic;
  int proxies = 0;                        ///< of each process
  std::string proxy_cpus;                 ///< list; empty: Raddle's choice
  std::optional<std::size_t> proxy_heap;  ///< MiB; none: Raddle's choice
  bool proxy_oversubscribe = false;
  ProxyProgress proxy_progress = ProxyProgress::wait;
  ProxyStart proxy_start = ProxyStart::split;
  SingleCopy single_copy = SingleCopy::automatic;
  SparseAlgorithm sparse_algorithm = SparseAlgorithm::automatic;
  int sparse_lanes = 2;
  int sparse_radix = 4;
  bool sparse_sorted = false;
  ThreadLevel thread_level = ThreadLevel::multiple;
  double watchdog = 0;  ///< seconds; 0: off
};

/// An unknown RADDLE_* name or a bad value; the message lists what is valid.
class SettingsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The functions that take a setting as an info key as well, which then stands above it.
enum class HintScope {
  none,
  communicators,  ///< that make a communicator, and MPI_Comm_set_info
  endpoints,      ///< MPIX_Comm_create_endpoints
  lanes,          ///< Raddle_Lanes_create
  partitioned,    ///< Raddle_Psend_init and Raddle_Precv_init, and MPI's where they are Raddle's
  sparse          ///< Raddle_Sparse_exchange and its relatives
};

/// An unknown raddle_ key or a bad value; the message lists what is valid.
class HintError : public std::runtime_error {
 public:
  HintError(bool is_unknown, const std::string& message) : std::runtime_error(message), unknown(is_unknown) {}
  bool unknown;  ///< the key, and not the value
};

/// Takes the hint that a key of these functions gives. @throws HintError
void take_hint(HintScope of, std::string_view key, std::string_view value, Settings& settings);

/// Reads `environment` (as `environ`: NAME=VALUE strings, ended by nullptr). RADDLE_HOME, which is the command's, is
/// accepted. @throws SettingsError
Settings parse_settings(const char* const* environment);

/// The settings of this process, parsed at the first call; a bad environment throws at every call. @throws
/// SettingsError
const Settings& settings();

}  // namespace raddle::platform
