// SPDX-License-Identifier: BSD-3-Clause
// What a program can run. A benchmark registers itself from its own file; see docs/build/bench-protocol.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/arm.hpp"
#include "core/teams.hpp"

namespace raddle::bench {

/// Of a number, both ends allowed; where fractions may stand, all are above the least.
struct ValueRange {
  std::int64_t least;
  std::int64_t most;
};

struct Param {
  std::string name;
  Value default_value;
  std::string summary;
  std::vector<std::string> choices = {};  ///< of a word
  std::optional<ValueRange> range = {};
};

/// What a benchmark's file declares (bench/suites/SUITE/NAME.toml); CMake makes declared/NAME.hpp of it.
struct Declaration {
  std::string name;
  std::string summary;
  std::string metric;
  std::string unit;
  std::string better;  ///< "higher" or "lower"
  std::vector<Param> params;
  Team (*team)(Contexts, const PointSet&) = teams::pairs;
};

/// Makes the arm for a variant. @throws Unavailable with the reason
using MakeArm = std::unique_ptr<Arm> (*)(const std::string& variant, const Team&, const Work&);

// What one flow does in one operation, for Method::work_per_operation.
inline double once(const Work& /*work*/) { return 1; }
inline double there_and_back(const Work& /*work*/) { return 2; }
inline double messages(const Work& work) { return work.window; }
inline double megabytes(const Work& work) { return static_cast<double>(work.bytes) * work.window / 1e6; }

/// How a benchmark is measured, which is for its source to say.
struct Method {
  Kind kind = Kind::reading;
  /// In the metric's unit, a rate's without the time; not for Kind::reading.
  double (*work_per_operation)(const Work&) = once;
  /// Shortest sample that is worth timing, in seconds; 0 takes the plan's.
  double min_sample_seconds = 0;
  MakeArm arm = nullptr;
  /// What a sample tells besides its value, in the order of Worker::readings. With Kind::reading the first is the
  /// value.
  std::vector<Reading> readings = {};
  /// Of values that their own ranges allow. @throws PlanError for those that do not suit each other
  void (*check)(const PointSet&) = nullptr;
  bool common_start = false;  ///< tell every worker one moment at which to start
};

struct Benchmark : Declaration, Method {};

struct Variant {
  std::string name;
  std::string summary;
  Contexts contexts;
  bool proxies = false;  ///< the launcher has started a process beside each context, which communicates for it
};

class Registry {
 public:
  static Registry& instance();
  void add(Benchmark benchmark);
  void add(Variant variant);
  /// @throws PlanError listing the known names
  [[nodiscard]] const Benchmark& benchmark(const std::string& name) const;
  [[nodiscard]] const Variant& variant(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, Benchmark>& benchmarks() const { return benchmarks_; }
  [[nodiscard]] const std::map<std::string, Variant>& variants() const { return variants_; }
  /// Checks the parameters of every set and adds those that it leaves out.
  /// @throws PlanError if a set names something unknown or a value that is not allowed
  void complete(Plan& plan) const;

 private:
  std::map<std::string, Benchmark> benchmarks_;
  std::map<std::string, Variant> variants_;
};

/// Put one of these at namespace scope of the benchmark's or the variant's file.
struct Register {
  template <typename Item>
  explicit Register(Item item) {
    Registry::instance().add(std::move(item));
  }
};

}  // namespace raddle::bench
