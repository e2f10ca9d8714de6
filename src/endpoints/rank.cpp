// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/rank.hpp"

namespace raddle::endpoints {

Endpoint* meant_by(MPI_Comm comm) {
  const Rank* const rank = adopted;
  if (rank == nullptr) return nullptr;
  if (comm == MPI_COMM_WORLD) return rank->world;
  return comm == MPI_COMM_SELF ? rank->self : nullptr;
}

}  // namespace raddle::endpoints
