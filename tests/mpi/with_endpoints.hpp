// SPDX-License-Identifier: BSD-3-Clause
// A test that all endpoints run.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/own_endpoints.hpp"

namespace raddle::testing {

/// Calls `act(communicator)` for each of so many endpoints of this process, in a thread of its own.
template <typename Act>
void with_endpoints(int each_process, Act&& act) {
  Endpoints endpoints(each_process);
  ASSERT_EQ(endpoints.code(), MPI_SUCCESS);
  each(endpoints, [&act](MPI_Comm comm, int) { act(comm); });
}

/// The same for three.
template <typename Act>
void with_endpoints(Act&& act) {
  with_endpoints(3, act);
}

}  // namespace raddle::testing
