// SPDX-License-Identifier: BSD-3-Clause
// Ping-pong with blocking calls; half a round trip is the latency.
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/ping_pong.hpp"

namespace raddle::bench {
namespace {

const Register latency(Benchmark{"latency",
                                 "ping-pong with blocking calls, half the round trip",
                                 {"latency", "us", "lower", Kind::time, [](const Work&) { return 2.0; }},
                                 {{"bytes", 8, "payload of one message"}, {"threads", 1, "pairs at the same time"}},
                                 20e-6,
                                 channel_arm<PingPong>});

}  // namespace
}  // namespace raddle::bench
