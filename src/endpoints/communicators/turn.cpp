// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/turn.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "platform/must.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {

namespace {

constexpr int turn_tag = 2;  // agreements have the one before

}  // namespace

/// Each takes it after those before it, as for what is derived: so no two hold what the other one waits for.
CommonTurn::CommonTurn(const Communicator& communicator) : taken_(communicator.process_count() > 1) {
  if (!taken_) return;
  std::vector<int> order(static_cast<std::size_t>(communicator.process_count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int process) { return std::pair(communicator.seniority(process), process); });
  const auto self = std::ranges::find(order, communicator.process());
  const MPI_Comm processes = communicator.processes();
  if (self != order.begin())
    platform::must("MPI_Recv", PMPI_Recv(nullptr, 0, MPI_BYTE, *(self - 1), turn_tag, processes, MPI_STATUS_IGNORE));
  for (platform::Waiting waiting(false); !Turn::take(this);) waiting.turn();
  if (self + 1 != order.end())
    platform::must("MPI_Send", PMPI_Send(nullptr, 0, MPI_BYTE, *(self + 1), turn_tag, processes));
}

CommonTurn::~CommonTurn() {
  if (taken_) Turn::give_back();
}

}  // namespace raddle::endpoints
