// SPDX-License-Identifier: BSD-3-Clause
// What tests of windows have in common.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi/own_endpoints.hpp"
#include "mpi/with_endpoints.hpp"

namespace raddle::testing {

/// A window over memory of the caller's.
template <typename Number>
class Exposed {
 public:
  Exposed(MPI_Comm comm, std::size_t count, Number first = {})
      : memory(count, first), rank(rank_in(comm)), size(size_of(comm)) {
    EXPECT_EQ(MPI_Win_create(memory.data(), static_cast<MPI_Aint>(count * sizeof(Number)), sizeof(Number),
                             MPI_INFO_NULL, comm, &window),
              MPI_SUCCESS);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  }
  Exposed(const Exposed&) = delete;
  Exposed& operator=(const Exposed&) = delete;
  ~Exposed() {
    EXPECT_EQ(MPI_Win_free(&window), MPI_SUCCESS);
    EXPECT_EQ(window, MPI_WIN_NULL);
  }

  std::vector<Number> memory;
  MPI_Win window = MPI_WIN_NULL;
  int rank;
  int size;
};

}  // namespace raddle::testing
