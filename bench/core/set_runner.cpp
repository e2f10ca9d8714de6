// SPDX-License-Identifier: BSD-3-Clause
#include "core/set_runner.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>

#include "core/cpu_list.hpp"
#include "core/exit.hpp"
#include "core/text.hpp"
#include "core/threads.hpp"
#include "core/warm_up.hpp"
#include "core/whereabouts.hpp"

namespace raddle::bench {
namespace {

std::int64_t involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// The team of all variants of a set; interleaving needs them to be alike.
Team common_team(const PointSet& set, int processes) {
  const Registry& registry = Registry::instance();
  const Benchmark& benchmark = registry.benchmark(set.benchmark);
  const auto team_of = [&](const std::string& name) {
    const Variant& variant = registry.variant(name);
    Team team = benchmark.team(variant.contexts, set);
    if (variant.proxies) team.proxies = team.most_threads();
    return team;
  };
  const Team team = team_of(set.variants.front());
  for (const std::string& name : set.variants) {
    if (team_of(name) != team) {
      throw PlanError(text("variants '", set.variants.front(), "' and '", name,
                           "' need different processes and cannot share a set"));
    }
  }
  if (team.processes() != processes) {
    throw PlanError(text(set.benchmark, " with ", set.work.threads, " threads, variant ", set.variants.front(),
                         ", placement ", to_string(set.placement), " needs ", team.processes(),
                         " processes; this launch has ", processes));
  }
  return team;
}

/// One operation each of a trace; more would make a row of megabytes.
constexpr std::size_t longest_trace = 512;
struct TraceRecord {
  std::size_t count = 0;
  std::array<double, longest_trace> times{};
};

/// Far enough ahead that every context has heard of it, and has reached its place.
constexpr Nanoseconds lead = 200'000;

}  // namespace

SetRunner::SetRunner(Control& control, const Plan& plan, const PointSet& set, const Machine& machine, Emitter& emit)
    : control_(control),
      plan_(plan),
      set_(set),
      machine_(machine),
      emit_(emit),
      benchmark_(Registry::instance().benchmark(set.benchmark)),
      team_(common_team(set, control.size())),
      threads_(team_.threads[static_cast<std::size_t>(control.rank())]),
      oversubscribed_(std::ranges::any_of(
          machine.nodes,
          [&](const Node& node) { return team_.busy(node.ranks) > static_cast<int>(node.cpus.size()); })),
      neighbours_(team_.contexts_of(machine.node().ranks)),
      // Contexts beyond the CPUs are left to the scheduler: pinned together they would only wait for each other's time
      // slices.
      assigned_(oversubscribed_ ? std::vector<int>{}
                                : assign_cpus(machine.node().cpus, team_.busy(machine.node().ranks), plan.pin)),
      barrier_(threads_, oversubscribed_ ? impatient : patient),
      random_(plan.seed ^ static_cast<std::uint64_t>(plan.block)),
      // Of equal length in all processes, so that they can be gathered; a place without a thread stays empty.
      latest_(static_cast<std::size_t>(team_.most_threads())),
      last_exit_(static_cast<std::size_t>(threads_), now()),
      cpus_read_back_(static_cast<std::size_t>(threads_)),
      validations_(static_cast<std::size_t>(team_.most_threads())),
      traces_(static_cast<std::size_t>(threads_)) {}

void SetRunner::run() {
  open_arms();
  if (states_.empty()) return;
  std::mutex failing;
  in_parallel(threads_, [&](int thread) {
    try {
      thread_main(thread);
    } catch (const std::exception& error) {
      // The other contexts wait for this one: nothing but ending the launch is safe.
      const std::lock_guard lock(failing);
      emit_.error("mpi", error.what(), &set_);
      control_.abort(Exit::points_failed);
    }
  });
  for (VariantState& state : states_) {
    state.arm->end();
    if (!state.record.samples.empty()) print(state);
  }
  allow(machine_.own_cpus);
}

void SetRunner::open_arms() {
  for (const std::string& variant : set_.variants) {
    try {
      Board::instance().stage(text("opening ", set_.benchmark, " ", variant));
      auto arm = benchmark_.arm(variant, team_, set_.work);
      arm->begin();
      states_.push_back({variant, std::move(arm), {}, true, {}, 0});
    } catch (const Unavailable& reason) {
      emit_.skip(reason.what(), set_, variant);
    }
  }
}

void SetRunner::thread_main(int thread) {
  Seat seat = team_.seat(control_.rank(), thread);
  seat.one_clock = machine_.one_clock();
  if (!assigned_.empty() && team_.helpers > 0) {
    seat.helper_cpu = assigned_[neighbours_.size() + place_of(seat.context)];
  }
  Board::instance().sit(seat);
  bool pinned = true;
  if (assigned_.empty()) {
    allow(machine_.node().cpus);
  } else {
    pinned = pin_to(assigned_[place_of(seat.context)]);
  }
  cpus_read_back_[static_cast<std::size_t>(thread)] = allowed_cpus();
  if (!pinned) pin_failed_ = true;
  std::vector<std::unique_ptr<Worker>> workers;
  for (VariantState& state : states_) {
    if (thread == 0) stage("joining", state);
    sync(thread);
    workers.push_back(state.arm->join(seat));
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    watching_the_wire(states_[i], thread, [&] { validate(states_[i], *workers[i], thread); });
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].active) continue;
    watching_the_wire(states_[i], thread, [&] { warm_up(states_[i], *workers[i], thread); });
  }
  measure(workers, thread);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    sync(thread);
    if (thread == 0) stage("leaving", states_[i]);
    workers[i].reset();
    states_[i].arm->quit(seat);
  }
  Board::instance().leave();
}

void SetRunner::sync(int thread) {
  barrier_.arrive_and_wait();
  if (control_.size() > 1) {
    if (thread == 0) control_.barrier();
    barrier_.arrive_and_wait();
  }
}

std::size_t SetRunner::place_of(int context) const {
  return static_cast<std::size_t>(std::ranges::find(neighbours_, context) - neighbours_.begin());
}

void SetRunner::agree_on_start(int thread) {
  if (thread != 0) return;
  if (machine_.one_clock()) {
    start_ = control_.broadcast_value(now() + lead);
  } else {
    control_.barrier();
    start_ = now() + lead;
  }
}

template <typename Work>
void SetRunner::watching_the_wire(VariantState& state, int thread, Work&& work) {
  const Traffic before = thread == 0 ? traffic_so_far() : Traffic{};
  work();
  if (thread != 0) return;
  for (const auto& [interface, bytes] : traffic_between(before, traffic_so_far())) state.passed[interface] += bytes;
}

std::string SetRunner::path(const VariantState& state) const {
  if (team_.processes() == 1) return {};
  // What proxies receive passes their connections and not those of this program, which are all that it can see.
  if (team_.proxies > 0) return "unknown";
  const Traffic moved = sum_of(control_.all_gather_text(to_text(state.passed)));
  // Lower bounds of what moved: a root compares its own content too, and an operation has a message at least.
  return path_taken(moved, static_cast<std::uint64_t>(state.record.validation.bytes) / 2,
                    static_cast<std::uint64_t>(state.operations), machine_.one_clock() ? "memory" : "fabric");
}

void SetRunner::stage(const char* what, const VariantState& state) {
  Board::instance().stage(text(what, " ", set_.benchmark, " ", state.variant));
}

void SetRunner::validate(VariantState& state, Worker& worker, int thread) {
  if (thread == 0) stage("validating", state);
  if (benchmark_.common_start) agree_on_start(thread);
  sync(thread);
  worker.start_at(start_);
  validations_[static_cast<std::size_t>(thread)] = worker.validate();
  barrier_.arrive_and_wait();
  if (thread == 0) {
    const auto all = control_.all_gather_values(std::span<const Validation>(validations_));
    for (const Validation& v : all) {
      state.record.validation.bytes += v.bytes;
      state.record.validation.wrong += v.wrong;
    }
    if (state.record.validation.wrong > 0) {
      state.active = false;
      if (control_.rank() == 0) {
        emit_.error("validation",
                    text(state.record.validation.wrong, " of ", state.record.validation.bytes,
                         " bytes arrived wrong; this point was not timed"),
                    &set_, state.variant);
      }
    }
  }
  barrier_.arrive_and_wait();
}

void SetRunner::take_sample(VariantState& state, Worker& worker, int thread) {
  const auto self = static_cast<std::size_t>(thread);
  const std::int64_t iterations = state.record.iterations;
  if (thread == 0) stage("measuring", state);
  if (benchmark_.common_start) agree_on_start(thread);
  sync(thread);
  worker.start_at(start_);
  const std::int64_t before = involuntary_switches();
  const Span span = worker.sample(iterations);
  const Nanoseconds exit = now();
  latest_[self] = {span, worker.readings(), involuntary_switches() - before, exit - last_exit_[self]};
  last_exit_[self] = exit;
  barrier_.arrive_and_wait();
}

SampleValue SetRunner::collect(VariantState& state) {
  const auto contexts = control_.all_gather_values(std::span<const SpanRecord>(latest_));
  const SampleValue sample =
      evaluate({benchmark_.kind, benchmark_.work_per_operation, benchmark_.readings, set_.work, machine_.one_clock()},
               state.record.iterations, contexts);
  state.record.add(sample);
  return sample;
}

void SetRunner::warm_up(VariantState& state, Worker& worker, int thread) {
  const double target =
      benchmark_.min_sample_seconds > 0 ? benchmark_.min_sample_seconds : plan_.sampling.min_sample_seconds;
  Record& record = state.record;
  WarmUp warm_up(target, plan_.sampling.warmup_seconds);  // thread 0's
  last_exit_[static_cast<std::size_t>(thread)] = now();   // what was validated before is no part of the first sample
  do {
    take_sample(state, worker, thread);
    if (thread == 0) {
      const double seconds = collect(state).seconds;
      state.operations += record.iterations;
      warming_ = warm_up.go_on(record, seconds);
      if (!warming_) record.start_measuring();
    }
    barrier_.arrive_and_wait();
  } while (warming_);
}

void SetRunner::plan_batch() {
  std::vector<std::size_t> active;
  int rounds = plan_.sampling.batch;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    VariantState& state = states_[i];
    state.active = state.active && !state.record.finished(plan_.sampling);
    if (!state.active) continue;
    active.push_back(i);
    rounds = std::min(rounds, state.record.affordable(plan_.sampling));
  }
  batch_.clear();
  for (int round = 0; round < rounds; ++round) {
    std::ranges::shuffle(active, random_);  // same seed, same order in every process
    batch_.insert(batch_.end(), active.begin(), active.end());
  }
}

void SetRunner::measure(std::vector<std::unique_ptr<Worker>>& workers, int thread) {
  while (true) {
    if (thread == 0) plan_batch();
    barrier_.arrive_and_wait();
    if (batch_.empty()) break;
    for (const std::size_t i : batch_) {
      take_sample(states_[i], *workers[i], thread);
      if (thread == 0) collect(states_[i]);
    }
    barrier_.arrive_and_wait();
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    traces_[static_cast<std::size_t>(thread)] = workers[i]->trace();
    barrier_.arrive_and_wait();
    if (thread == 0) gather_trace(states_[i]);
    barrier_.arrive_and_wait();
  }
}

void SetRunner::gather_trace(VariantState& state) {
  TraceRecord mine;
  for (const std::vector<double>& trace : traces_) {
    if (trace.empty()) continue;
    mine.count = std::min(trace.size(), longest_trace);
    std::copy_n(trace.begin(), mine.count, mine.times.begin());
  }
  for (const TraceRecord& trace : control_.all_gather_values(std::span<const TraceRecord>(&mine, 1))) {
    if (trace.count > 0) state.record.trace.assign(trace.times.begin(), trace.times.begin() + trace.count);
  }
}

void SetRunner::print(const VariantState& state) {
  const bool converged = state.record.converged(plan_.sampling);
  std::vector<std::string> flags;
  if (oversubscribed_) flags.emplace_back("oversubscribed");
  if (!converged) flags.emplace_back("not-converged");
  if (pin_failed_) flags.emplace_back("not-pinned");
  std::vector<std::vector<int>> cpus;
  for (const std::string& text : control_.all_gather_text(to_text(cpus_read_back_))) {
    const auto lists = lists_from(text);
    cpus.insert(cpus.end(), lists.begin(), lists.end());
  }
  emit_.row(set_, {state.variant, benchmark_, state.record, converged, team_.processes(), team_.busy(), std::move(cpus),
                   std::move(flags), path(state)});
}

}  // namespace raddle::bench
