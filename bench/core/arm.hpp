// SPDX-License-Identifier: BSD-3-Clause
// An arm is one variant of a set's work: what the sampler drives, without knowing about MPI.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/plan.hpp"
#include "core/team.hpp"

namespace raddle::bench {

struct Validation {
  std::int64_t bytes = 0;  ///< bytes compared
  std::int64_t wrong = 0;  ///< bytes that differ
};

/// What a context found out in its last sample besides the time; `unread` where it has nothing to say.
inline constexpr double unread = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t most_readings = 6;
using Readings = std::array<double, most_readings>;
inline constexpr Readings no_readings{unread, unread, unread, unread, unread, unread};

/// One context of one flow; made, used and destroyed by the thread that owns it.
class Worker {
 public:
  virtual ~Worker() = default;

  /// `iterations` operations, timed by the contexts that can see their completion.
  virtual Span sample(std::int64_t iterations) = 0;

  /// The same communication once more with patterned content, untimed; who receives compares.
  virtual Validation validate() = 0;

  /// When the next sample begins on every context alike; only for benchmarks that ask for a common start.
  virtual void start_at(Nanoseconds /*moment*/) {}

  /// Of the last sample, as Benchmark::readings names them.
  [[nodiscard]] virtual Readings readings() const { return no_readings; }

  /// Times of the single operations of the last sample in order, in microseconds; empty unless they are the result.
  [[nodiscard]] virtual std::vector<double> trace() const { return {}; }
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

/// How what the contexts measured becomes the value of a sample.
enum class Kind {
  rate,     ///< all work / (latest end - earliest begin), in units per second
  time,     ///< median over timing contexts of microseconds per unit of work
  reading,  ///< the first reading
};

/// How a reading of several contexts becomes one.
enum class Fold { median, most };

struct Reading {
  std::string_view name;
  Fold fold = Fold::median;
};

/// An arm that this program or this MPI cannot offer; not a failure, the row is skipped with the reason.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace raddle::bench
