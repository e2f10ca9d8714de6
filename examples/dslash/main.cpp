// SPDX-License-Identifier: BSD-3-Clause
// Wilson Dslash, the kernel of lattice QCD, on a lattice that is divided among ranks in all four dimensions. What a
// rank is, and which thread communicates, is the version:
//
//     mpiexec -n 4 ./dslash process                  4 processes
//     mpiexec -n 2 ./dslash master --threads 2       2 domains of 2 threads, of which one communicates
//     mpiexec -n 2 ./dslash lane --threads 2         2 domains of 2 threads, each with a communicator of its own
//     mpiexec -n 2 ./dslash thread --threads 2       4 domains, each thread's own, on one communicator
//     mpiexec -n 2 ./dslash endpoint --threads 2     4 domains, each thread a rank
//
// All check the operator they have before they time it.
#include <mpi.h>
#include <omp.h>

#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>

#include "dslash/checks.hpp"
#include "dslash/member.hpp"
#include "dslash/options.hpp"

namespace dslash {
namespace {

/// Each member calls it: makes the part of its domain, or waits until it is there.
void prepare(Member& member, const Options& options, const Gauge& gauge) {
  member.meet();
  if (member.leads()) member.part() = std::make_unique<Part>(gauge, member.rank(), options.grid, member.directories());
  member.meet();
}

/// Members begin together and each measures itself; shares are those of all their time.
void measure(Member& member, const Options& options) {
  Part& part = *member.part();
  Times times{};
  part.dirac.apply(part.x.data(), part.image.data(), member, times);
  times = {};
  double together = 0;
  member.sum(std::span(&together, 1));
  for (int i = 0; i < options.iterations; ++i) part.dirac.apply(part.x.data(), part.image.data(), member, times);
  double longest = total(times);
  member.combine(std::span(&longest, 1), MPI_MAX);
  member.sum(times);
  if (!member.speaks()) return;
  const double flops = flops_per_site * static_cast<double>(volume(options.lattice.extent)) * options.iterations;
  std::printf("  %d applications: %.3g GFLOP/s\n", options.iterations, flops / longest * 1e-9);
  for (std::size_t phase = 0; phase < phases; ++phase)
    std::printf("  %-8s %5.1f %%\n", phase_names[phase], 100 * times[phase] / total(times));
  const double share = communication(times) / total(times);
  std::printf("  computation %.1f %%, communication %.1f %%\n", 100 - 100 * share, 100 * share);
}

/// What a member does, be it a process or a thread. Whether something was wrong.
bool work(Member& member, const Options& options) {
  if (member.speaks())
    std::printf("dslash %s: lattice %s, %s in time, %d domains as %s\n", options.version.c_str(),
                to_string(options.lattice.extent).c_str(), options.lattice.antiperiodic ? "antiperiodic" : "periodic",
                member.ranks(), to_string(options.grid).c_str());
  const Gauge gauge{options.lattice, options.seed};
  const Gauge free_field{options.lattice, options.seed, true};
  prepare(member, options, gauge);
  bool right = agrees_with_reference(member, gauge);
  right = is_gamma5_hermitian(member, gauge) && right;
  measure(member, options);
  prepare(member, options, free_field);
  right = has_plane_waves(member, free_field) && right;
  if (member.speaks()) std::printf("dslash %s: %s\n", options.version.c_str(), right ? "right" : "WRONG");
  return !right;
}

struct Version {
  bool (*run)(const Options&, const Work&);
  int level;
  bool threads_have_domains;
};
const std::map<std::string, Version> versions{{"process", {run_process, MPI_THREAD_SINGLE, false}},
                                              {"master", {run_master, MPI_THREAD_FUNNELED, false}},
                                              {"lane", {run_lane, MPI_THREAD_MULTIPLE, false}},
                                              {"thread", {run_thread, MPI_THREAD_MULTIPLE, true}},
                                              {"endpoint", {run_endpoint, MPI_THREAD_MULTIPLE, true}}};

/// With the grid that was asked for, or the best one. @throws std::invalid_argument if there is none
Options with_grid(Options options, int domains) {
  if (options.grid[0] == 0) options.grid = choose_grid(domains, options.lattice.extent);
  if (volume(options.grid) != domains)
    throw std::invalid_argument("the grid " + to_string(options.grid) + " is not one of " + std::to_string(domains) +
                                " domains");
  static_cast<void>(domain_of(0, options.grid, options.lattice));
  return options;
}

int complain(const std::exception& error) {
  std::fprintf(stderr, "dslash: %s\n%s", error.what(), usage);
  return 2;
}

int run(const Options& asked, const Version& version) {
  int provided = 0;
  int processes = 0;
  int status = 0;
  omp_set_dynamic(0);
  MPI_Init_thread(nullptr, nullptr, version.level, &provided);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (provided < version.level) {
    std::fprintf(stderr, "dslash: this MPI lacks the thread level that version %s needs\n", asked.version.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  try {
    const Options options = with_grid(asked, version.threads_have_domains ? processes * asked.threads : processes);
    status = version.run(options, [&](Member& member) { return work(member, options); }) ? 1 : 0;
  } catch (const std::invalid_argument& error) {
    status = complain(error);
  }
  MPI_Finalize();
  return status;
}

}  // namespace
}  // namespace dslash

int main(int argc, char** argv) {
  using namespace dslash;
  try {
    const Options options = parse(argc, argv);
    const auto found = versions.find(options.version);
    if (found == versions.end()) throw std::invalid_argument("no version is called '" + options.version + "'");
    return run(options, found->second);
  } catch (const std::exception& error) {
    return complain(error);
  }
}
