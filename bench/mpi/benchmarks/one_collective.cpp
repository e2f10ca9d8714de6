// SPDX-License-Identifier: BSD-3-Clause
// One collective over all contexts, by size: what MPI_COMM_WORLD is to processes, an endpoints communicator or a thread
// communicator is to threads. A benchmark for each collective.
#include <array>
#include <string>

#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/repeated_collective.hpp"

namespace raddle::bench {
namespace {

struct About {
  const char* name;
  const char* summary;
  std::int64_t bytes;
  const char* of_bytes;
};
constexpr std::array<About, 4> collectives{{
    {"allreduce", "MPI_Allreduce over all ranks", 8, "that each rank reduces"},
    {"barrier", "MPI_Barrier over all ranks", 0, "none"},
    {"bcast", "MPI_Bcast to all ranks, each in turn the root", 8, "of the message"},
    {"alltoall", "MPI_Alltoall among all ranks", 8, "from each rank to each"},
}};

template <std::size_t which>
class OneCollective final : public RepeatedCollective {
 public:
  OneCollective(MPI_Comm comm, const Seat& seat, const Work& work)
      : RepeatedCollective(make_collective(collectives[which].name, comm, seat, work.bytes)) {}
};

/// One flow: all ranks. As threads they are half in one process and half in another, or all in one.
Team team(Contexts contexts, const PointSet& set) {
  const int half = set.work.threads;
  Team team = make_team(1, 2 * half, contexts, set.placement);
  if (contexts == Contexts::threads && set.placement != Placement::one_process) team.threads.assign(2, half);
  return team;
}

template <std::size_t which>
Benchmark benchmark() {
  const About& about = collectives[which];
  return {about.name,
          about.summary,
          {"latency", "us", "lower", Kind::time, [](const Work&) { return 1.0; }},
          {{"bytes", about.bytes, about.of_bytes}, {"threads", 1, "ranks on each of two sides"}},
          50e-6,
          group_arm<OneCollective<which>>,
          {},
          team};
}

const Register allreduce(benchmark<0>());
const Register barrier(benchmark<1>());
const Register bcast(benchmark<2>());
const Register alltoall(benchmark<3>());

}  // namespace
}  // namespace raddle::bench
