// SPDX-License-Identifier: BSD-3-Clause
// One exchange among those that follow each other on a communicator of Raddle's own.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace raddle::sparse {

/// What a message is, within an exchange.
enum class Kind : std::uint8_t { payload, bundle, answer };

/// Two sets of tags, in turn, keep exchanges apart: nobody is through with one that not everybody has begun, so nobody
/// is more than one ahead.
struct Round {
  MPI_Comm comm;
  int rank;
  int size;
  int parity;

  [[nodiscard]] int tag(Kind kind) const { return 2 * static_cast<int>(kind) + parity; }
};

}  // namespace raddle::sparse
