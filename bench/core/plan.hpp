// SPDX-License-Identifier: BSD-3-Clause
// The plan of one launch, as `raddle` writes it (docs/build/bench-protocol.md), checked before anything is measured.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/team.hpp"

namespace raddle::bench {

/// Value of a parameter.
using Value = std::variant<std::int64_t, double, std::string>;

/// The parameters of a point. Registry::complete checks those that the plan gives and adds those that it leaves out.
struct Work {
  std::int64_t bytes = 8;  ///< payload of one message
  int threads = 1;         ///< concurrent flows
  int window = 64;         ///< messages in flight per flow
  std::map<std::string, Value> params = {};

  /// A parameter of the benchmark's own. @throws PlanError if it has none of that name and type
  [[nodiscard]] std::int64_t whole(const std::string& name) const;
  [[nodiscard]] double real(const std::string& name) const;
  [[nodiscard]] const std::string& word(const std::string& name) const;
};

struct PointSet {
  std::string benchmark;
  Placement placement = Placement::node;
  std::vector<std::string> variants;
  Work work;
};

struct Sampling {
  int min_samples = 20;
  int max_samples = 400;
  int batch = 10;
  double half_width = 0.05;
  double min_sample_seconds = 1e-3;
  double max_seconds = 2.0;
  double warmup_seconds = 0.4;
};

/// How long a launch may do nothing before it is taken for hung, in seconds.
inline constexpr double default_patience = 30;

enum class Pin { none, compact, spread };

struct Plan {
  std::string launch;
  int block = 0;
  std::uint64_t seed = 0;
  std::string mpi;
  std::string profile;
  Pin pin = Pin::compact;
  Sampling sampling;
  double patience = default_patience;
  std::vector<PointSet> sets;
};

/// A plan that cannot be run; the message names the key and the allowed values.
class PlanError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// @throws PlanError for malformed JSON, unknown or missing keys, values out of range. Parameters are checked later.
Plan parse_plan(const std::string& content);

std::string to_string(Placement placement);

}  // namespace raddle::bench
