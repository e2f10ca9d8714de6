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
  std::int64_t default_value;
  std::string summary;
};

struct Benchmark {
  std::string name;
  std::string summary;
  Metric metric;
  std::vector<Param> params;
  /// Shortest sample that is worth timing, in seconds; 0 takes the plan's.
  double min_sample_seconds = 0;
  /// Makes the arm for a variant. @throws Unavailable with the reason
  std::unique_ptr<Arm> (*arm)(const std::string& variant, const Team&, const Work&);
};

struct Variant {
  std::string name;
  std::string summary;
  /// The processes and threads this variant needs for a set.
  Team (*team)(const PointSet&);
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
  /// @throws PlanError if a set names something unknown
  void check(const Plan& plan) const;

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
