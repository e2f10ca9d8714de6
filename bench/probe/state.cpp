// SPDX-License-Identifier: BSD-3-Clause
#include "probe/state.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/affinity.hpp"
#include "core/buffer.hpp"
#include "core/clock.hpp"
#include "core/exit.hpp"
#include "core/registry.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace raddle::bench::probe {
namespace {

using Json = nlohmann::ordered_json;
using Pair = std::array<int, 2>;

constexpr int most_pairs = 4;  // a launch has as many as it likes, and the probe some milliseconds
// 0.3 ms between neighbours, 1.5 ms between sockets. Many short samples, of which a time slice spoils few.
constexpr int samples = 64;
constexpr int round_trips = 16;
constexpr std::int64_t copy_bytes = 1 << 20;
constexpr int copy_messages = 8;
constexpr int copies = 3;

/// Who talks to whom when `contexts` contexts are placed as in a launch: the first of one side with the first of the
/// other, and so on.
std::vector<Pair> pairs_of(int contexts, Pin pin) {
  const std::vector<int> cpus = allowed_cpus();
  const int busy = std::min(std::max(contexts, 2), static_cast<int>(cpus.size()));
  // Where a launch pins nobody its contexts are anywhere: their CPUs are those that `compact` would take.
  const std::vector<int> used = assign_cpus(cpus, busy, pin == Pin::none ? Pin::compact : pin);
  const int all = busy / 2;
  const int taken = std::min(all, most_pairs);
  std::vector<Pair> pairs;
  for (int i = 0; i < taken; ++i) {
    const auto first = static_cast<std::size_t>(i * all / taken);
    pairs.push_back({used[first], used[first + static_cast<std::size_t>(all)]});
  }
  return pairs;
}

/// The work of the benchmark `latency` at 8 B, so that what it takes is its limit. @returns nanoseconds one way
double core_to_core(const Pair& cpus) {
  Plan plan;
  plan.sets.push_back({"latency", Placement::one_process, {"physical"}, {}});
  Registry::instance().complete(plan);
  const Team team = make_team(1, 2, Contexts::threads, Placement::one_process);
  const auto arm = Registry::instance().benchmark("latency").arm("physical", team, plan.sets.front().work);
  std::vector<double> times;
  bool pinned = true;
  const auto side = [&](int thread) {
    const bool here = pin_to(cpus[static_cast<std::size_t>(thread)]);
    const auto worker = arm->join(team.seat(0, thread));
    for (int i = 0; i < samples; ++i) {
      const Span span = worker->sample(round_trips);
      if (span.timed()) times.push_back(static_cast<double>(span.end - span.begin) / (2.0 * round_trips));
    }
    if (thread == 0) pinned = here;
  };
  // Threads of their own: the one that waits for the next question stays free to be anywhere.
  std::thread receiver(side, 1);
  std::thread(side, 0).join();
  receiver.join();
  if (!pinned) throw std::runtime_error(text("CPU ", cpus[0], " cannot be had"));
  return median(times);
}

/// Copies of 1 MiB by one CPU. The memory stays: getting it takes longer than copying it.
class Copier {
 public:
  /// @returns MB/s
  double measure(int cpu) {
    std::vector<double> rates;
    std::thread([&] {
      pin_to(cpu);
      pass();
      for (int i = 0; i < copies; ++i) {
        const Nanoseconds begin = now();
        pass();
        rates.push_back(static_cast<double>(copy_bytes) * copy_messages * 1e3 / static_cast<double>(now() - begin));
      }
    }).join();
    return median(rates);
  }

 private:
  void pass() {
    for (int message = 0; message < copy_messages; ++message) {
      std::memcpy(to_[message].data(), from_[message].data(), copy_bytes);
      std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler may not skip a copy
    }
  }

  Slots from_{copy_bytes, copy_messages};
  Slots to_{copy_bytes, copy_messages};
};

Pin pin_named(const std::string& name) {
  for (const auto& [known, pin] : {std::pair{"none", Pin::none}, {"compact", Pin::compact}, {"spread", Pin::spread}}) {
    if (name == known) return pin;
  }
  throw std::runtime_error(text("'", name, "' is no way to pin: none, compact, spread"));
}

Json answer(const std::string& question, Copier& copier) {
  std::istringstream words(question);
  int contexts = 0;
  std::string pin;
  if (!(words >> contexts >> pin)) throw std::runtime_error("a question has two words: CONTEXTS PIN");
  const std::vector<Pair> pairs = pairs_of(contexts, pin_named(pin));
  if (pairs.empty()) throw std::runtime_error("one CPU is next to no other");
  std::vector<double> ways;
  for (const Pair& pair : pairs) ways.push_back(core_to_core(pair));
  return {{"cpus", pairs}, {"core_to_core_ns", median(ways)}, {"copy_mb_s", copier.measure(pairs.front()[1])}};
}

}  // namespace

int serve_state(std::istream& in, std::ostream& out) {
  Copier copier;
  for (std::string question; std::getline(in, question);) {
    Json said;
    try {
      said = answer(question, copier);
    } catch (const std::exception& error) {
      said = {{"error", error.what()}};
    }
    out << said.dump() << '\n' << std::flush;
  }
  return Exit::ok;
}

}  // namespace raddle::bench::probe
