// SPDX-License-Identifier: BSD-3-Clause
// What a program can run. A benchmark registers itself from its own file; see docs/bench-protocol.md.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/arm.hpp"

namespace raddle::bench {

struct Param {
  std::string name;
  Value default_value;
  std::string summary;
  std::vector<std::string> choices = {};  ///< of a word
};

/// The team of a benchmark whose contexts communicate two by two: `threads` flows.
Team pairs(Contexts contexts, const PointSet& set);

struct Benchmark {
  std::string name;
  std::string summary;
  Metric metric;
  std::vector<Param> params;
  /// Shortest sample that is worth timing, in seconds; 0 takes the plan's.
  double min_sample_seconds = 0;
  /// Makes the arm for a variant. @throws Unavailable with the reason
  std::unique_ptr<Arm> (*arm)(const std::string& variant, const Team&, const Work&);
  /// What a sample tells besides its value, in the order of Worker::readings. With Kind::reading the first is the
  /// value.
  std::vector<Reading> readings = {};
  Team (*team)(Contexts, const PointSet&) = pairs;
  bool common_start = false;  ///< tell every worker one moment at which to start
};

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
