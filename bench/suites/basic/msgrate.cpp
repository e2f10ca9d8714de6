// SPDX-License-Identifier: BSD-3-Clause
// Messages a second: the loop of the article on MPI_THREAD_MULTIPLE and communicators per thread, with receives posted
// ahead.
#include "declared/msgrate.hpp"

#include "mpi/benchmark.hpp"
#include "mpi/windowed.hpp"

namespace raddle::bench {
namespace {

const Register msgrate(Benchmark{declared::msgrate(), windowed(messages)});

}  // namespace
}  // namespace raddle::bench
