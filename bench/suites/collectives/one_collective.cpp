// SPDX-License-Identifier: BSD-3-Clause
// One collective over all contexts, by size: what MPI_COMM_WORLD is to processes, an endpoints communicator or a thread
// communicator is to threads. A benchmark for each collective.
#include "declared/allreduce.hpp"
#include "declared/alltoall.hpp"
#include "declared/barrier.hpp"
#include "declared/bcast.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/repeated_collective.hpp"

namespace raddle::bench {
namespace {

constexpr char allreduce[] = "allreduce";
constexpr char barrier[] = "barrier";
constexpr char bcast[] = "bcast";
constexpr char alltoall[] = "alltoall";

template <const char* name>
class OneCollective final : public RepeatedCollective {
 public:
  OneCollective(MPI_Comm comm, const Seat& seat, const Work& work)
      : RepeatedCollective(make_collective(name, comm, seat, work.bytes)) {}
};

template <const char* name>
Method one_collective() {
  return {.kind = Kind::time, .min_sample_seconds = 50e-6, .arm = group_arm<OneCollective<name>>};
}

const Register of_allreduce(Benchmark{declared::allreduce(), one_collective<allreduce>()});
const Register of_barrier(Benchmark{declared::barrier(), one_collective<barrier>()});
const Register of_bcast(Benchmark{declared::bcast(), one_collective<bcast>()});
const Register of_alltoall(Benchmark{declared::alltoall(), one_collective<alltoall>()});

}  // namespace
}  // namespace raddle::bench
