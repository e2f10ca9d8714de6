// SPDX-License-Identifier: BSD-3-Clause
// Bytes a second of small messages in one direction, by number of processes, threads or endpoints
// (docs/evidence/evaluation.md).
#include "declared/ep_throughput.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/windowed.hpp"

namespace raddle::bench {
namespace {

const Register ep_throughput(Benchmark{declared::ep_throughput(), windowed(megabytes)});

}  // namespace
}  // namespace raddle::bench
