// SPDX-License-Identifier: BSD-3-Clause
// T7 of Thakur and Gropp: each flow calls a collective on a communicator of its own, all at once
// (docs/thakur-gropp.md).
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/repeated_collective.hpp"

namespace raddle::bench {
namespace {

class ManyCollectives final : public RepeatedCollective {
 public:
  ManyCollectives(MPI_Comm comm, const Seat& seat, const Work& work)
      : RepeatedCollective(make_collective(work.word("collective"), comm, seat, work.bytes)) {}
};

Team team(Contexts contexts, const PointSet& set) {
  const std::int64_t parties = set.work.whole("parties");
  if (parties < 2 || parties > 4096) throw PlanError("'parties' must be 2 to 4096");
  return make_team(set.work.threads, static_cast<int>(parties), contexts, set.placement);
}

const Register concurrent_collectives(Benchmark{
    "concurrent_collectives",
    "a collective per flow, each on a communicator of its own, all at once",
    {"latency", "us", "lower", Kind::time, [](const Work&) { return 1.0; }},
    {{"bytes", 2048, "that each party contributes"},
     {"threads", 1, "flows at the same time"},
     {"collective", std::string("allreduce"), "which one", collective_names()},
     {"parties", 2, "processes that take part in each: simulated nodes"}},
    100e-6,
    group_arm<ManyCollectives>,
    {},
    team});

}  // namespace
}  // namespace raddle::bench
