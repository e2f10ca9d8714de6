// SPDX-License-Identifier: BSD-3-Clause
// One rank of the communicators under test: runs the script round by round, completes what it has begun in random ways
// and compares all results with the plan.
//
// It may block anywhere: all ranks of a communicator begin the same operations in the same order, so whatever this rank
// waits for, the others begin without waiting for anything that comes later.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../traffic/meeting.hpp"
#include "../traffic/random.hpp"
#include "entered.hpp"
#include "families.hpp"
#include "operation.hpp"
#include "options.hpp"

namespace raddle::collectives {

using traffic::Meeting;

struct Place {
  int process;  ///< rank in MPI_COMM_WORLD
  int thread;
  int rank;  ///< of the communicator that all others derive from
  int size;
};

class Rank {
 public:
  Rank(const Place& place, MPI_Comm base, const Options& options, Meeting& meeting, Entered& entered);

  void run();
  [[nodiscard]] int rounds() const noexcept { return round_; }
  [[nodiscard]] int size() const noexcept { return place_.size; }
  /// What has begun and is not complete, for the watchdog: to be asked by any thread.
  [[nodiscard]] std::string pending() const;
  /// How often each function began something.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& used() const noexcept { return used_; }

 private:
  void round();
  void run_batch(const Batch& batch, const std::vector<const Family*>& families);
  void begin(Operation& operation, std::uint64_t step);
  void finish(Operation& operation);
  void settle(Operation& operation);
  void check_barrier(const Operation& operation);
  void dawdle();
  void tell_pending();

  // completion.cpp
  /// Waits for some of what is active, or looks at it.
  void complete(std::vector<Operation*> chosen, bool must);
  [[nodiscard]] std::vector<Operation*> active() const;

  void enter(const char* call);
  [[noreturn]] void fail(const Operation* operation, const std::string& what);

  Place place_;
  Options options_;
  Meeting& meeting_;
  Entered& entered_;
  Families families_;
  traffic::Random random_;
  int round_ = 0;
  std::map<std::string, std::uint64_t> used_;

  mutable std::mutex guard_;
  std::string pending_;  ///< under the guard

  // Of the batch.
  std::vector<std::unique_ptr<Operation>> operations_;
  std::vector<int> members_;  ///< base ranks that take part
  std::string on_;
  bool polls_ = false;  ///< whoever waits asks for the same again and again, whatever else the others wait for
};

}  // namespace raddle::collectives
