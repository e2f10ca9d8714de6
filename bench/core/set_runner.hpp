// SPDX-License-Identifier: BSD-3-Clause
// Measures one set: all variants of one piece of work, interleaved sample by sample in random order (docs/results.md).
#pragma once

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/affinity.hpp"
#include "core/arm.hpp"
#include "core/barrier.hpp"
#include "core/control.hpp"
#include "core/emit.hpp"
#include "core/record.hpp"
#include "core/registry.hpp"

namespace raddle::bench {

/// What a launch knows about the machine before it measures.
struct Machine {
  std::vector<int> cpus;      ///< CPUs that all processes of this node may use together
  std::vector<int> own_cpus;  ///< CPUs the launcher gave to this process
  bool one_clock = true;      ///< all processes share CLOCK_MONOTONIC (one node)
};

class SetRunner {
 public:
  SetRunner(Control& control, const Plan& plan, const PointSet& set, const Machine& machine, Emitter& emit);

  /// Measures and prints every variant; a variant that is unavailable is skipped, one that fails validation is an
  /// error.
  void run();

 private:
  struct Entry {
    std::string variant;
    std::unique_ptr<Arm> arm;
    Record record;
    bool active = true;
  };

  void open_arms();
  void thread_main(int thread);
  void validate(Entry& entry, Worker& worker, int thread);
  void warm_up(Entry& entry, Worker& worker, int thread);
  void measure(std::vector<std::unique_ptr<Worker>>& workers, int thread);
  void take_sample(Entry& entry, Worker& worker, int thread);
  /// Thread 0 of every process: brings the spans of all contexts together and turns them into a sample.
  SampleValue collect(Entry& entry);
  void plan_batch();
  void sync(int thread);
  void print(const Entry& entry);

  Control& control_;
  const Plan& plan_;
  const PointSet& set_;
  const Machine& machine_;
  Emitter& emit_;
  const Benchmark& benchmark_;
  const Team team_;
  const bool oversubscribed_;
  const std::vector<int> assigned_;
  ThreadBarrier barrier_;
  std::mt19937_64 random_;
  std::vector<Entry> entries_;
  // Indexed by thread; each thread writes its own element, thread 0 reads them between two barriers.
  std::vector<SpanRecord> latest_;
  std::vector<Nanoseconds> last_exit_;
  std::vector<std::vector<int>> cpus_read_back_;
  std::vector<Validation> validations_;
  std::atomic<bool> pin_failed_{false};
  // Written by thread 0 between two barriers, read by all.
  std::vector<std::size_t> batch_;  ///< entries to sample next, in order
  bool warming_ = false;
};

}  // namespace raddle::bench
