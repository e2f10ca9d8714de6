// SPDX-License-Identifier: BSD-3-Clause
// Bytes a second: as msgrate, each message of a window from and into a buffer of its own.
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/windowed.hpp"

namespace raddle::bench {
namespace {

const Register bandwidth(Benchmark{
    "bandwidth",
    "windows of large MPI_Isend into pre-posted MPI_Irecv",
    {"bandwidth", "MB/s", "higher", Kind::rate,
     [](const Work& work) { return static_cast<double>(work.bytes) * work.window / 1e6; }},
    {{"bytes", 65536, "payload of one message"},
     {"threads", 1, "pairs at the same time"},
     {"window", 8, "messages in flight per pair"}},
    0,
    channel_arm<Windowed>});

}  // namespace
}  // namespace raddle::bench
