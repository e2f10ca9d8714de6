// SPDX-License-Identifier: BSD-3-Clause
// T1 of Thakur and Gropp: what a higher thread level costs a program with one thread (docs/thakur-gropp.md). The level
// is fixed at initialisation, so each is a launch of its own.
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/level.hpp"
#include "mpi/benchmarks/ping_pong.hpp"

namespace raddle::bench {
namespace {

const Register thread_overhead(Benchmark{
    "thread_overhead",
    "ping-pong of programs with one thread, initialised at each thread level",
    {"latency", "us", "lower", Kind::time, [](const Work&) { return 2.0; }},
    {{"bytes", 8, "payload of one message"}, {"threads", 1, "pairs at the same time"}, level_param()},
    20e-6,
    levelled_arm<PingPong>});

}  // namespace
}  // namespace raddle::bench
