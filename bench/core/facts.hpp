// SPDX-License-Identifier: BSD-3-Clause
// What a launch knows about itself, as plain data; emit.cpp alone turns it into JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/clock.hpp"
#include "core/record.hpp"
#include "core/registry.hpp"

namespace raddle::bench {

struct RankFacts {
  int rank;
  std::string host;
  std::string kernel;  ///< what tells machines apart, whatever their host names say
  int pid;
  std::vector<int> cpus;  ///< as the launcher left them
};

/// Value of an MPI_T control variable.
using ControlValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<std::int64_t>>;

struct MpiFacts {
  std::string library_version;
  std::string standard;
  std::string level_requested;
  std::string level_provided;
  std::map<std::string, ControlValue> control_variables;
};

struct LaunchFacts {
  ClockCosts clock;
  std::vector<RankFacts> ranks;
  double stolen_seconds;  ///< that the hypervisor took from this machine since boot
  std::optional<MpiFacts> mpi;
};

/// One point, measured.
struct RowFacts {
  std::string variant;
  const Benchmark& benchmark;
  const Record& record;
  bool converged;
  int processes;
  int busy;                            ///< contexts and their helpers
  std::vector<std::vector<int>> cpus;  ///< affinity read back, one list a context
  std::vector<std::string> flags;
  std::string path;  ///< that messages between processes took (wire.hpp); empty where there are none
};

}  // namespace raddle::bench
