// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/variant.hpp"

namespace raddle::bench {
namespace {

const RegisterVariant thread({"thread", "MPI_THREAD_MULTIPLE, all threads on MPI_COMM_WORLD, one tag a flow",
                              threaded_team},
                             world_channels);

}  // namespace
}  // namespace raddle::bench
