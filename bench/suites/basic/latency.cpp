// SPDX-License-Identifier: BSD-3-Clause
// Ping-pong with blocking calls; half a round trip is the latency.
#include "declared/latency.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/ping_pong.hpp"

namespace raddle::bench {
namespace {

const Register latency(Benchmark{declared::latency(), ping_pong(channel_arm<PingPong>)});

}  // namespace
}  // namespace raddle::bench
