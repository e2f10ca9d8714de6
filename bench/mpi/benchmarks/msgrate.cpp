// SPDX-License-Identifier: BSD-3-Clause
// Messages a second: the loop of the article on MPI_THREAD_MULTIPLE and communicators per thread, with receives posted
// ahead.
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/windowed.hpp"

namespace raddle::bench {
namespace {

const Register msgrate(Benchmark{
    "msgrate",
    "windows of MPI_Isend into pre-posted MPI_Irecv, all threads at once",
    {"rate", "msg/s", "higher", Kind::rate, [](const Work& work) { return static_cast<double>(work.window); }},
    {{"bytes", 8, "payload of one message"},
     {"threads", 1, "pairs at the same time"},
     {"window", 64, "messages in flight per pair"}},
    0,
    channel_arm<Windowed>});

}  // namespace
}  // namespace raddle::bench
