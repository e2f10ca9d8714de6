// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the tests, each with data whose result every party knows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/arm.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {

class Collective {
 public:
  virtual ~Collective() = default;
  virtual void call() = 0;
  /// Once with known content.
  virtual Validation validate() = 0;
};

/// @param bytes contribution of a party; reductions take whole ints, at least one
std::unique_ptr<Collective> make_collective(const std::string& name, MPI_Comm comm, const Seat& seat,
                                            std::int64_t bytes);

}  // namespace raddle::bench
