// SPDX-License-Identifier: BSD-3-Clause
// Bytes a second of small messages in one direction, by number of processes, threads or endpoints (docs/evaluation.md).
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/windowed.hpp"

namespace raddle::bench {
namespace {

const Register ep_throughput(Benchmark{
    "ep_throughput",
    "windows of small MPI_Isend into pre-posted MPI_Irecv in one direction, all pairs at once",
    {"bandwidth", "MB/s", "higher", Kind::rate,
     [](const Work& work) { return static_cast<double>(work.bytes) * work.window / 1e6; }},
    {{"bytes", 64, "payload of one message"},
     {"threads", 1, "processes, threads or endpoints on each side"},
     {"window", 64, "messages in flight per pair"}},
    0,
    channel_arm<Windowed>});

}  // namespace
}  // namespace raddle::bench
