// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/own_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

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

std::uint64_t this_process() {
  // Processes in containers may have the same number.
  static const std::uint64_t chosen =
      (std::uint64_t{std::random_device{}()} << 32U) ^ static_cast<std::uint64_t>(getpid());
  return chosen;
}

std::vector<std::uint64_t> processes_in(MPI_Comm comm) {
  int size = 0;
  platform::must("MPI_Comm_size", MPI_Comm_size(comm, &size));
  const std::uint64_t mine = this_process();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(size));
  check(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm));
  return all;
}

std::shared_ptr<Board> board_of_process(MPI_Comm node, int rank) {
  int size = 0;
  int place = 0;
  platform::must("MPI_Comm_size", MPI_Comm_size(node, &size));
  platform::must("MPI_Comm_rank", MPI_Comm_rank(node, &place));
  std::vector<Neighbour> all(static_cast<std::size_t>(size));
  const Neighbour mine{this_process(), rank};
  constexpr int bytes = sizeof mine;
  check(MPI_Allgather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, node));
  std::vector<std::uint64_t> processes;
  std::vector<int> here;
  int leader = -1;
  for (int i = 0; i < size; ++i) {
    const Neighbour& one = all[static_cast<std::size_t>(i)];
    processes.push_back(one.process);
    if (one.process != mine.process) continue;
    if (leader < 0) leader = i;
    here.push_back(static_cast<int>(one.rank));
  }
  std::ranges::sort(processes);
  if (std::ranges::adjacent_find(processes) == processes.end()) return nullptr;  // nobody of the node has one

  std::ranges::sort(here);
  MPI_Comm inside = MPI_COMM_NULL;
  check(MPI_Comm_split(node, leader, place, &inside));
  using Held = std::shared_ptr<Board>;
  Held board = leader == place ? std::make_shared<Board>(std::move(here)) : nullptr;
  const Held* shown = &board;  // the others are threads of this process: they copy it where it is
  check(MPI_Bcast(static_cast<void*>(&shown), sizeof(const Held*), MPI_BYTE, 0, inside));
  if (leader != place) board = *shown;
  check(MPI_Barrier(inside));
  platform::regardless(MPI_Comm_free(&inside));
  return board;
}

}  // namespace raddle::sparse
