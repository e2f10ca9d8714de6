// SPDX-License-Identifier: BSD-3-Clause
#include "core/launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "core/build_info.hpp"
#include "core/clock.hpp"
#include "core/set_runner.hpp"

namespace raddle::bench {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Seconds that the hypervisor took from this machine's CPUs since boot (/proc/stat); 0 where the kernel does not tell.
double stolen_seconds() {
  std::ifstream stat("/proc/stat");
  std::string label;
  std::array<double, 8> ticks{};
  stat >> label;
  for (double& t : ticks) stat >> t;
  return stat ? ticks[7] / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0.0;
}

std::string read_plan(Control& control, const std::string& path) {
  std::string text;
  int found = 0;
  if (control.rank() == 0) {
    std::ifstream file(path);
    std::ostringstream content;
    content << file.rdbuf();
    text = content.str();
    found = file ? 1 : 0;
  }
  if (control.broadcast_value(found) == 0) throw PlanError(fmt::format("cannot read the plan '{}'", path));
  return control.broadcast_text(text);
}

struct Census {
  Json ranks = Json::array();
  Machine machine;
};

/// Who runs where. The CPUs of a node are the union of what its processes were given.
Census take_census(Control& control) {
  Census census;
  census.machine.own_cpus = allowed_cpus();
  const std::string host = host_name();
  const Json mine{{"rank", control.rank()}, {"host", host}, {"pid", getpid()}, {"cpus", census.machine.own_cpus}};
  std::set<int> cpus;
  for (const std::string& text : control.all_gather_text(mine.dump())) {
    Json rank = Json::parse(text);
    if (rank["host"] == host) {
      for (const Json& cpu : rank["cpus"]) cpus.insert(cpu.get<int>());
    } else {
      census.machine.one_clock = false;
    }
    census.ranks.push_back(std::move(rank));
  }
  census.machine.cpus.assign(cpus.begin(), cpus.end());
  return census;
}

Json launch_line(const Plan& plan, const Json& ranks, const Json& about) {
  const ClockCosts clock = measure_clock();
  Json line{{"seed", plan.seed},
            {"mpi", plan.mpi},
            {"profile", plan.profile},
            {"clock", {{"source", "CLOCK_MONOTONIC"}, {"resolution_ns", clock.resolution}, {"cost_ns", clock.cost}}},
            {"ranks", ranks},
            {"build", {{"compiler", build_info::compiler}, {"flags", build_info::flags}, {"type", build_info::type}, {"version", build_info::version}}},
            {"steal_s", stolen_seconds()}};
  line.update(about);
  return line;
}

int measure(Control& control, const Plan& plan, const Json& about) {
  const Nanoseconds begin = now();
  const double stolen = stolen_seconds();
  const Census census = take_census(control);
  Emitter emit(plan, control.rank() == 0);
  emit.line("launch", launch_line(plan, census.ranks, about));
  for (const PointSet& set : plan.sets) SetRunner(control, plan, set, census.machine, emit).run();
  emit.line("end", Json{{"seconds", static_cast<double>(now() - begin) * 1e-9},
                        {"steal_s", stolen_seconds() - stolen},
                        {"rows", emit.rows()},
                        {"errors", emit.errors()}});
  return control.broadcast_value(emit.errors()) > 0 ? Exit::points_failed : Exit::ok;
}

}  // namespace

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--list") {
      arguments.list = true;
    } else if ((name == "--plan" || name == "--level") && i + 1 < argc) {
      (name == "--plan" ? arguments.plan : arguments.level) = argv[++i];
    } else {
      throw PlanError(fmt::format("unknown or incomplete argument '{}'; usage: {} --list | --plan FILE [--level LEVEL]", name, argv[0]));
    }
  }
  constexpr std::array levels{"single", "funneled", "serialized", "multiple"};
  if (std::ranges::find(levels, arguments.level) == levels.end()) {
    throw PlanError(fmt::format("--level is '{}'; allowed: {}", arguments.level, fmt::join(levels, ", ")));
  }
  if (!arguments.list && arguments.plan.empty()) throw PlanError("no plan given; use --plan FILE, or --list");
  return arguments;
}

void print_registry() {
  Json benchmarks = Json::array();
  for (const auto& [name, benchmark] : Registry::instance().benchmarks()) {
    Json params = Json::object();
    for (const Param& param : benchmark.params) params[param.name] = {{"default", param.default_value}, {"summary", param.summary}};
    benchmarks.push_back({{"name", name},
                          {"summary", benchmark.summary},
                          {"metric", benchmark.metric.name},
                          {"unit", benchmark.metric.unit},
                          {"better", benchmark.metric.kind == Kind::rate ? "higher" : "lower"},
                          {"params", params}});
  }
  Json variants = Json::array();
  for (const auto& [name, variant] : Registry::instance().variants()) variants.push_back({{"name", name}, {"summary", variant.summary}});
  fmt::print("{}\n", Json{{"benchmarks", benchmarks}, {"variants", variants}}.dump());
}

int run_launch(Control& control, const Arguments& arguments, const Json& about) {
  try {
    const Plan plan = parse_plan(read_plan(control, arguments.plan));
    Registry::instance().check(plan);
    return measure(control, plan, about);
  } catch (const PlanError& error) {
    if (control.rank() == 0) complain(error.what());
    return Exit::bad_plan;
  }
}

void complain(const std::string& message) { fmt::print(stderr, "raddle-bench: {}\n", message); }

}  // namespace raddle::bench
