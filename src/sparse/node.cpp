// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/node.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "node/cpu_set.hpp"
#include "platform/making_own.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"
#include "sparse/check.hpp"
#include "sparse/own_process.hpp"

namespace raddle::sparse {

void Node::keep_own_process() {
  const std::vector<std::uint64_t> processes = processes_in(comm_);
  const auto first = std::ranges::find(processes, this_process()) - processes.begin();
  MPI_Comm host = std::exchange(comm_, MPI_COMM_NULL);
  check(MPI_Comm_split(host, static_cast<int>(first), own_, &comm_));
  platform::regardless(MPI_Comm_free(&host));
}

Node::Node(MPI_Comm comm) {
  const platform::MakingOwn own;
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm, &own_));
  check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, own_, MPI_INFO_NULL, &comm_));
  if (platform::settings().node == platform::Node::rank) keep_own_process();
  platform::must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm_, &rank_));
  platform::must("MPI_Comm_size", MPI_Comm_size(comm_, &size_));

  node::CpuSet cpus;
  check(MPI_Allreduce(MPI_IN_PLACE, cpus.bytes(), node::CpuSet::size, MPI_BYTE, MPI_BOR, comm_));
  cpus_ = cpus.count();
  of_process_ = static_cast<int>(std::ranges::count(processes_in(comm_), this_process()));

  const int first = rank_ == 0 ? 1 : 0;
  check(MPI_Allreduce(&first, &nodes_, 1, MPI_INT, MPI_SUM, comm));
}

void Node::learn_all(MPI_Comm comm) {
  if (nodes_ == 1 || !node_of_.empty()) return;
  int size = 0;
  platform::must("MPI_Comm_size", MPI_Comm_size(comm, &size));
  int leader = own_;
  check(MPI_Bcast(&leader, 1, MPI_INT, 0, comm_));
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

Node::~Node() { platform::regardless(MPI_Comm_free(&comm_)); }

int Node::partner_at(int rank) const {
  const std::vector<int>& ranks = ranks_[static_cast<std::size_t>(node_of(rank))];
  return ranks[static_cast<std::size_t>(rank_) % ranks.size()];
}

}  // namespace raddle::sparse
