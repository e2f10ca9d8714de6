// SPDX-License-Identifier: BSD-3-Clause
// Those algorithms of `dsde_...` that need nothing of Raddle.
#pragma once

#include "suites/dsde/sparse_ways.hpp"

namespace raddle::bench {

/// @param algorithm native-alltoallv or native-nbx
std::unique_ptr<SparseWay> make_native_sparse_way(const std::string& algorithm, MPI_Comm comm, std::size_t bytes);

}  // namespace raddle::bench
