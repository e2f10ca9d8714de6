// SPDX-License-Identifier: BSD-3-Clause
// Measures one set: all variants of one piece of work, interleaved sample by sample in random order
// (docs/use/results.md).
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
#include "core/wire.hpp"

namespace raddle::bench {

struct Node {
  std::vector<int> ranks;  ///< of its processes, ascending
  std::vector<int> cpus;   ///< CPUs that they may use together
};

/// What a launch knows about its machine, or machines, before it measures.
struct Machine {
  std::vector<Node> nodes;    ///< by their first ranks
  std::size_t here;           ///< which of them this process is on
  std::vector<int> own_cpus;  ///< CPUs the launcher gave to this process

  [[nodiscard]] const Node& node() const { return nodes[here]; }
  /// Whether all processes share CLOCK_MONOTONIC.
  [[nodiscard]] bool one_clock() const noexcept { return nodes.size() == 1; }
};

class SetRunner {
 public:
  SetRunner(Control& control, const Plan& plan, const PointSet& set, const Machine& machine, Emitter& emit);

  /// Measures and prints every variant; a variant that is unavailable is skipped, one that fails validation is an
  /// error.
  void run();

 private:
  struct VariantState {
    std::string variant;
    std::unique_ptr<Arm> arm;
    Record record;
    bool active = true;
    Traffic passed;               ///< through network interfaces while it was validated and warmed up
    std::int64_t operations = 0;  ///< meanwhile
  };

  void open_arms();
  void thread_main(int thread);
  void validate(VariantState& state, Worker& worker, int thread);
  void warm_up(VariantState& state, Worker& worker, int thread);
  void measure(std::vector<std::unique_ptr<Worker>>& workers, int thread);
  void take_sample(VariantState& state, Worker& worker, int thread);
  /// Thread 0 of every process: brings the spans of all contexts together and turns them into a sample.
  SampleValue collect(VariantState& state);
  void plan_batch();
  void sync(int thread);
  /// Tells all contexts of the launch one moment at which to start, a little ahead. Between clocks that know nothing of
  /// each other it is the same but for what a barrier's end differs in.
  void agree_on_start(int thread);
  /// Where a context of this node stands among them.
  [[nodiscard]] std::size_t place_of(int context) const;
  void gather_trace(VariantState& state);
  /// Runs `work` and counts on thread 0 what passes through network interfaces meanwhile.
  template <typename Work>
  void watching_the_wire(VariantState& state, int thread, Work&& work);
  /// Which way the messages between processes went; empty where there are none.
  [[nodiscard]] std::string path(const VariantState& state) const;
  void stage(const char* what, const VariantState& state);
  void print(const VariantState& state);

  Control& control_;
  const Plan& plan_;
  const PointSet& set_;
  const Machine& machine_;
  Emitter& emit_;
  const Benchmark& benchmark_;
  const Team team_;
  const int threads_;                  ///< of this process
  const bool oversubscribed_;          ///< on any node
  const std::vector<int> neighbours_;  ///< the contexts on this node, its own among them
  const std::vector<int> assigned_;
  ThreadBarrier barrier_;
  std::mt19937_64 random_;
  std::vector<VariantState> states_;
  // Indexed by thread; each thread writes its own element, thread 0 reads them between two barriers.
  std::vector<SpanRecord> latest_;
  std::vector<Nanoseconds> last_exit_;
  std::vector<std::vector<int>> cpus_read_back_;
  std::vector<Validation> validations_;
  std::vector<std::vector<double>> traces_;
  std::atomic<bool> pin_failed_{false};
  // Written by thread 0 between two barriers, read by all.
  std::vector<std::size_t> batch_;  ///< variants to sample next, in order
  bool warming_ = false;
  Nanoseconds start_ = 0;
};

}  // namespace raddle::bench
