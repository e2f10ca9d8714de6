// SPDX-License-Identifier: BSD-3-Clause
// Bytes a second: as msgrate, each message of a window from and into a buffer of its own.
#include "declared/bandwidth.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/windowed.hpp"

namespace raddle::bench {
namespace {

const Register bandwidth(Benchmark{declared::bandwidth(), windowed(megabytes)});

}  // namespace
}  // namespace raddle::bench
