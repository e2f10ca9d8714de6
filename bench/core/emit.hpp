// SPDX-License-Identifier: BSD-3-Clause
// The lines a launch prints (docs/bench-protocol.md): one JSON object each, flushed at once, so that a crash keeps the finished ones.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/plan.hpp"

namespace raddle::bench {

using Json = nlohmann::ordered_json;

/// Prints the lines of one launch on standard output. Silent on every rank but 0, save for errors.
class Emitter {
 public:
  Emitter(const Plan& plan, bool prints) : launch_(plan.launch), block_(plan.block), prints_(prints) {}

  /// Adds `type`, `launch` and `block`, prints and counts.
  void line(const std::string& type, Json body);

  /// An `error` (failure) or `skip` (not available here) line for a point.
  void problem(const std::string& type, const std::string& code, const std::string& message, const PointSet* set = nullptr,
               const std::string& variant = {});

  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int errors() const noexcept { return errors_; }

 private:
  std::string launch_;
  int block_;
  bool prints_;
  int rows_ = 0;
  int errors_ = 0;
};

/// The parameters of a point as rows carry them.
Json params_json(const PointSet& set, int processes);

}  // namespace raddle::bench
