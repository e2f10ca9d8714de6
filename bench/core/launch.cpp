// SPDX-License-Identifier: BSD-3-Clause
#include "core/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>  // program_invocation_short_name
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "core/clock.hpp"
#include "core/cpu_list.hpp"
#include "core/emit.hpp"
#include "core/set_runner.hpp"
#include "core/shared_memory.hpp"
#include "core/watchdog.hpp"

namespace raddle::bench {
namespace {

/// For people, prefixed with the program's name.
void complain(const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, message.c_str());
}

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
    found = file ? 1 : 0;
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  if (control.broadcast_value(found) == 0) throw PlanError("cannot read the plan '" + path + "'");
  return control.broadcast_text(text);
}

/// Who runs where, in order of rank.
std::vector<RankFacts> take_census(Control& control) {
  const auto hosts = control.all_gather_text(host_name());
  const auto kernels = control.all_gather_text(kernel_id());
  const auto cpus = control.all_gather_text(to_text({allowed_cpus()}));
  const int pid = getpid();
  const auto pids = control.all_gather_values(std::span(&pid, 1));
  std::vector<RankFacts> ranks;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto lists = lists_from(cpus[i]);
    ranks.push_back(
        {static_cast<int>(i), hosts[i], kernels[i], pids[i], lists.empty() ? std::vector<int>{} : lists.front()});
  }
  return ranks;
}

/// The CPUs of a node are the union of what its processes were given.
Machine machine_of(const std::vector<RankFacts>& ranks, const RankFacts& own) {
  std::vector<std::string> kernels;
  std::vector<std::vector<int>> members;
  std::vector<std::set<int>> cpus;
  const auto number_of = [&](const std::string& kernel) {
    return static_cast<std::size_t>(std::ranges::find(kernels, kernel) - kernels.begin());
  };
  for (const RankFacts& rank : ranks) {
    const std::size_t node = number_of(rank.kernel);
    if (node == kernels.size()) {
      kernels.push_back(rank.kernel);
      members.emplace_back();
      cpus.emplace_back();
    }
    members[node].push_back(rank.rank);
    cpus[node].insert(rank.cpus.begin(), rank.cpus.end());
  }
  Machine machine{.nodes = {}, .here = number_of(own.kernel), .own_cpus = own.cpus};
  for (std::size_t node = 0; node < kernels.size(); ++node) {
    machine.nodes.push_back({members[node], {cpus[node].begin(), cpus[node].end()}});
  }
  return machine;
}

int measure(Control& control, const Plan& plan, std::optional<MpiFacts> mpi) {
  const Nanoseconds begin = now();
  const double stolen = stolen_seconds();
  const auto ranks = take_census(control);
  const Machine machine = machine_of(ranks, ranks[static_cast<std::size_t>(control.rank())]);
  Emitter emit(plan, control.rank() == 0);
  emit.launch({measure_clock(), ranks, stolen, std::move(mpi)});
  {
    // Without MPI, which is what hangs: the launcher ends the other processes when this one is gone, and they get time
    // to tell their side.
    const Watchdog watchdog(plan.patience, [&](const std::string& report) {
      emit.error("hang", report);
      std::this_thread::sleep_for(std::chrono::seconds(1));
      unlink_shared_memory();
      std::_Exit(Exit::hung);
    });
    for (const PointSet& set : plan.sets) SetRunner(control, plan, set, machine, emit).run();
  }
  emit.end(static_cast<double>(now() - begin) * 1e-9, stolen_seconds() - stolen);
  return control.broadcast_value(emit.errors()) > 0 ? Exit::points_failed : Exit::ok;
}

}  // namespace

std::string kernel_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  return std::getline(file, id) ? id : host_name();
}

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--list") {
      arguments.list = true;
    } else if ((name == "--plan" || name == "--level") && i + 1 < argc) {
      (name == "--plan" ? arguments.plan : arguments.level) = argv[++i];
    } else {
      throw PlanError("unknown or incomplete argument '" + name + "'; usage: " + argv[0] +
                      " --list | --plan FILE [--level LEVEL]");
    }
  }
  constexpr std::array levels{"single", "funneled", "serialized", "multiple"};
  if (std::ranges::find(levels, arguments.level) == levels.end()) {
    throw PlanError("--level is '" + arguments.level + "'; allowed: single, funneled, serialized, multiple");
  }
  if (!arguments.list && arguments.plan.empty()) throw PlanError("no plan given; use --plan FILE, or --list");
  return arguments;
}

int run_launch(Control& control, const Arguments& arguments, std::optional<MpiFacts> mpi) {
  try {
    Plan plan = parse_plan(read_plan(control, arguments.plan));
    Registry::instance().complete(plan);
    return measure(control, plan, std::move(mpi));
  } catch (const PlanError& error) {
    if (control.rank() == 0) complain(error.what());
    return Exit::bad_plan;
  }
}

int program(int argc, char** argv, const std::function<int(const Arguments&)>& run) {
  try {
    const Arguments arguments = parse_arguments(argc, argv);
    if (!arguments.list) return run(arguments);
    print_registry(Registry::instance());
    return Exit::ok;
  } catch (const PlanError& error) {
    complain(error.what());
    return Exit::bad_plan;
  }
}

}  // namespace raddle::bench
