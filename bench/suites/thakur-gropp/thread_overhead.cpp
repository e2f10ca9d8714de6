// SPDX-License-Identifier: BSD-3-Clause
// T1 of Thakur and Gropp: what a higher thread level costs a program with one thread (docs/evidence/thakur-gropp.md).
// The level is fixed at initialisation, so each is a launch of its own.
#include "declared/thread_overhead.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/ping_pong.hpp"
#include "suites/thakur-gropp/level.hpp"

namespace raddle::bench {
namespace {

const Register thread_overhead(Benchmark{declared::thread_overhead(), ping_pong(levelled_arm<PingPong>)});

}  // namespace
}  // namespace raddle::bench
