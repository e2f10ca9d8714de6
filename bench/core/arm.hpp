// SPDX-License-Identifier: BSD-3-Clause
// An arm is one variant of a set's work: what the sampler drives, without knowing about MPI.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/plan.hpp"
#include "core/team.hpp"

namespace raddle::bench {

struct Validation {
  std::int64_t bytes = 0;  ///< bytes compared
  std::int64_t wrong = 0;  ///< bytes that differ
};

/// One side of one flow; made, used and destroyed by the thread that owns it.
class Worker {
 public:
  virtual ~Worker() = default;

  /// `iterations` operations, timed by the side that can see their completion.
  virtual Span sample(std::int64_t iterations) = 0;

  /// The same communication once more with patterned content, untimed; the receiving side compares.
  virtual Validation validate() = 0;
};

class Arm {
 public:
  virtual ~Arm() = default;
  /// Thread 0 of every process, before the threads join (collective over the launch).
  virtual void begin() {}
  /// Every thread of the team, at the same time (may communicate).
  virtual std::unique_ptr<Worker> join(const Seat& seat) = 0;
  /// Every thread, after its worker is gone.
  virtual void quit(const Seat& /*seat*/) {}
  /// Thread 0 of every process, after the threads have quit (collective).
  virtual void end() {}
};

/// How spans of the timing threads become the value of a sample.
enum class Kind {
  rate,  ///< all work / (latest end - earliest begin), in units per second
  time,  ///< median over flows of microseconds per unit of work
};

struct Metric {
  std::string_view name;
  std::string_view unit;
  Kind kind;
  /// Units of work one flow does in one operation.
  double (*work_per_operation)(const Work&);
};

/// An arm that this program or this MPI cannot offer; not a failure, the row is skipped with the reason.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace raddle::bench
