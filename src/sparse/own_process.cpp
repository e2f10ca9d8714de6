// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/own_process.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "node/own_number.hpp"
#include "platform/must.hpp"
#include "sparse/check.hpp"

namespace raddle::sparse {
namespace {

/// As a rank tells the others of its node.
struct Neighbour {
  std::uint64_t process;
  std::int64_t rank;
};

}  // namespace

std::shared_ptr<Board> board_of_process(const node::NodeComm& here, int rank) {
  const Neighbour mine{node::own_number(), rank};
  const std::vector<Neighbour> all = here.gather(mine);
  std::vector<std::uint64_t> processes;
  std::vector<int> ranks;
  int leader = -1;
  for (int i = 0; i < here.size(); ++i) {
    const Neighbour& one = all[static_cast<std::size_t>(i)];
    processes.push_back(one.process);
    if (one.process != mine.process) continue;
    if (leader < 0) leader = i;
    ranks.push_back(static_cast<int>(one.rank));
  }
  std::ranges::sort(processes);
  if (std::ranges::adjacent_find(processes) == processes.end()) return nullptr;  // nobody of the node has one

  std::ranges::sort(ranks);
  MPI_Comm inside = MPI_COMM_NULL;
  check(MPI_Comm_split(here.comm(), leader, here.rank(), &inside));
  using Held = std::shared_ptr<Board>;
  Held board = leader == here.rank() ? std::make_shared<Board>(std::move(ranks)) : nullptr;
  const Held* shown = &board;  // the others are threads of this process: they copy it where it is
  check(MPI_Bcast(static_cast<void*>(&shown), sizeof(const Held*), MPI_BYTE, 0, inside));
  if (leader != here.rank()) board = *shown;
  check(MPI_Barrier(inside));
  platform::regardless(MPI_Comm_free(&inside));
  return board;
}

}  // namespace raddle::sparse
