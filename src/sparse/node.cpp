// SPDX-License-Identifier: BSD-3-Clause

#include "sparse/node.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "node/node_comm.hpp"
#include "node/process_watch.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "sparse/algorithm.hpp"

namespace raddle::sparse {

void Node::keep_own_process() {
  const std::vector<std::uint64_t> processes = here_.gather(node::own_number());
  const auto first = std::ranges::find(processes, node::own_number()) - processes.begin();
  check(here_.divide(static_cast<int>(first)));
}

Node::Node(MPI_Comm comm) {
  int code = MPI_SUCCESS;
  here_ = node::NodeComm(comm, node::of_ranks, code);
  check(code);
  if (platform::settings().node == platform::Node::rank) keep_own_process();
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm, &own_));
  cpus_ = here_.count_cpus();
  of_process_ = static_cast<int>(std::ranges::count(here_.gather(node::own_number()), node::own_number()));

  const int first = rank() == 0 ? 1 : 0;
  check(MPI_Allreduce(&first, &nodes_, 1, MPI_INT, MPI_SUM, comm));
}

void Node::learn_all(MPI_Comm comm) {
  if (nodes_ == 1 || !node_of_.empty()) return;
  int size = 0;
  platform::must("MPI_Comm_size", MPI_Comm_size(comm, &size));
  int leader = own_;
  check(MPI_Bcast(&leader, 1, MPI_INT, 0, here_.comm()));
  std::vector<int> leaders(static_cast<std::size_t>(size));
  check(MPI_Allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, comm));
  std::map<int, int> numbers;  // of nodes, by leader
  for (int rank = 0; rank < size; ++rank) {
    const int node = numbers.try_emplace(leaders[static_cast<std::size_t>(rank)], numbers.size()).first->second;
    if (static_cast<std::size_t>(node) == ranks_.size()) ranks_.emplace_back();
    auto& ranks = ranks_[static_cast<std::size_t>(node)];
    node_of_.push_back(node);
    place_.push_back(static_cast<int>(ranks.size()));
    ranks.push_back(rank);
  }
}

int Node::partner_at(int rank) const {
  const std::vector<int>& ranks = ranks_[static_cast<std::size_t>(node_of(rank))];
  return ranks[static_cast<std::size_t>(this->rank()) % ranks.size()];
}

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
