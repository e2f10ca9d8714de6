// SPDX-License-Identifier: BSD-3-Clause
// The lines a launch prints (docs/build/bench-protocol.md): one JSON object each, flushed at once, so that a crash
// keeps the finished ones.
#pragma once

#include <string>

#include "core/facts.hpp"
#include "core/plan.hpp"

namespace raddle::bench {

class Registry;

/// Prints the lines of one launch on standard output. Silent on every rank but 0, save for errors.
class Emitter {
 public:
  Emitter(const Plan& plan, bool prints) : plan_(plan), prints_(prints) {}

  void launch(const LaunchFacts& facts);
  void row(const PointSet& set, const RowFacts& facts);
  /// A point that failed, or (no set) the whole launch.
  void error(const std::string& code, const std::string& message, const PointSet* set = nullptr,
             const std::string& variant = {});
  /// A point that this program or this MPI cannot offer.
  void skip(const std::string& reason, const PointSet& set, const std::string& variant);
  void end(double seconds, double stolen_seconds);

  [[nodiscard]] int errors() const noexcept { return errors_; }

 private:
  const Plan& plan_;
  bool prints_;
  int rows_ = 0;
  int errors_ = 0;
};

/// Prints what the program can run (`--list`).
void print_registry(const Registry& registry);

}  // namespace raddle::bench
