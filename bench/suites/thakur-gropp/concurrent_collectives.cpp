// SPDX-License-Identifier: BSD-3-Clause
// T7 of Thakur and Gropp: each flow calls a collective on a communicator of its own, all at once
// (docs/evidence/thakur-gropp.md).
#include "declared/concurrent_collectives.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/repeated_collective.hpp"

namespace raddle::bench {
namespace {

class ManyCollectives final : public RepeatedCollective {
 public:
  ManyCollectives(MPI_Comm comm, const Seat& seat, const Work& work)
      : RepeatedCollective(make_collective(work.word("collective"), comm, seat, work.bytes)) {}
};

const Register concurrent_collectives(Benchmark{
    declared::concurrent_collectives(),
    {.kind = Kind::time, .min_sample_seconds = 100e-6, .arm = group_arm<ManyCollectives>}});

}  // namespace
}  // namespace raddle::bench
