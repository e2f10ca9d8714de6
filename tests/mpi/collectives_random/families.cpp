// SPDX-License-Identifier: BSD-3-Clause
#include "families.hpp"

#include <algorithm>
#include <numeric>

#include "../traffic/failure.hpp"
#include "../traffic/random.hpp"
#include "topologies.hpp"

namespace raddle::collectives {
namespace {

using traffic::mix;
using traffic::Random;

constexpr std::size_t most_families = 7;

std::size_t index(int n) { return static_cast<std::size_t>(n); }

void check(int code, const std::string& call) {
  if (code != MPI_SUCCESS) traffic::abandon(call + " failed");
}

}  // namespace

std::vector<int> Family::members(int its_cell) const {
  std::vector<int> list;
  for (std::size_t base = 0; base < cell.size(); ++base) {
    if (cell[base] == its_cell) list.push_back(static_cast<int>(base));
  }
  std::ranges::sort(list, {}, [this](int base) { return rank[index(base)]; });
  return list;
}

Families::Families(MPI_Comm base, int size, int rank) : rank_(rank) {
  std::vector<int> ranks(index(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  families_.push_back({"what all began with", std::vector<int>(index(size), 0), ranks, {}, base});
}

std::vector<const Family*> Families::alike(const Family& family) const {
  std::vector<const Family*> list;
  for (const Family& other : families_) {
    if (other.cell == family.cell) list.push_back(&other);
  }
  return list;
}

void Families::change(std::uint64_t key, bool topologies, bool spare) {
  Random random(key);
  if (families_.size() == most_families || (families_.size() > 1 && random.chance(30))) {
    const auto which = static_cast<std::ptrdiff_t>(1 + random.below(families_.size() - 1));
    MPI_Comm& comm = families_[index(static_cast<int>(which))].comm;
    if (comm != MPI_COMM_NULL) check(MPI_Comm_free(&comm), "MPI_Comm_free");
    families_.erase(families_.begin() + which);
    return;
  }
  const Family& parent = families_[random.below(families_.size())];
  Family made{"", parent.cell, parent.rank, {}};
  const std::size_t way = random.below(topologies ? 5 : 3);
  if (way == 0) {
    made.how = "MPI_Comm_dup";
    made.graphs = parent.graphs;
    if (parent.comm != MPI_COMM_NULL) check(MPI_Comm_dup(parent.comm, &made.comm), made.how);
  } else if (way < 3) {
    split(parent, random.next(), made);
  } else if (way == 3) {
    cartesian(parent, random.next(), spare, made);
  } else {
    adjacent(parent, random.next(), spare, made);
  }
  if (made.comm != MPI_COMM_NULL) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(made.comm, &rank);
    MPI_Comm_size(made.comm, &size);
    if (rank != made.rank[index(rank_)] || size != static_cast<int>(made.members(made.cell[index(rank_)]).size()))
      traffic::abandon(made.how + " gave another rank or size than it must");
  }
  families_.push_back(std::move(made));
}

/// Into one to three parts, in the same, the opposite or any order; now and then somebody is left out.
void Families::split(const Family& parent, std::uint64_t key, Family& made) const {
  Random random(key);
  const std::size_t colours = 1 + random.below(3);
  const bool some_left_out = random.chance(20);
  const std::size_t order = random.below(3);
  struct Choice {
    int colour;
    int key;
  };
  std::vector<Choice> choices;
  for (std::size_t base = 0; base < parent.cell.size(); ++base) {
    const bool out = some_left_out && random.chance(20);
    const int by = order == 0 ? 0 : order == 1 ? -parent.rank[base] : static_cast<int>(random.below(4));
    choices.push_back({out ? MPI_UNDEFINED : static_cast<int>(random.below(colours)), by});
  }
  for (const int cell : std::vector<int>(parent.cell)) {
    if (cell == nobody) continue;
    std::map<int, std::vector<int>> parts;
    for (const int base : parent.members(cell)) parts[choices[index(base)].colour].push_back(base);
    for (auto& [colour, members] : parts) {
      std::ranges::stable_sort(members, {}, [&](int base) { return choices[index(base)].key; });
      const int least = *std::ranges::min_element(members);
      for (std::size_t i = 0; i < members.size(); ++i) {
        made.cell[index(members[i])] = colour == MPI_UNDEFINED ? nobody : least;
        made.rank[index(members[i])] = static_cast<int>(i);
      }
    }
  }
  made.how = "MPI_Comm_split";
  const Choice& mine = choices[index(rank_)];
  if (parent.comm != MPI_COMM_NULL) check(MPI_Comm_split(parent.comm, mine.colour, mine.key, &made.comm), made.how);
}

void Families::cartesian(const Family& parent, std::uint64_t key, bool spare, Family& made) const {
  made.how = "MPI_Cart_create";
  for (std::size_t base = 0; base < parent.cell.size(); ++base) {
    const int cell = parent.cell[base];
    if (cell != static_cast<int>(base)) continue;
    const std::vector<int> members = parent.members(cell);
    const Grid grid = random_grid(mix({key, base}), static_cast<int>(members.size()), spare);
    // The grid takes the first ranks; the others get no communicator.
    const int least = *std::min_element(members.begin(), members.begin() + grid.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      made.cell[index(members[i])] = static_cast<int>(i) < grid.size() ? least : nobody;
    made.graphs[least] = graph_of(grid);
    if (parent.cell[index(rank_)] == cell) check(create(grid, parent.comm, &made.comm), made.how);
  }
}

void Families::adjacent(const Family& parent, std::uint64_t key, bool spare, Family& made) const {
  made.how = "MPI_Dist_graph_create_adjacent";
  for (std::size_t base = 0; base < parent.cell.size(); ++base) {
    const int cell = parent.cell[base];
    if (cell != static_cast<int>(base)) continue;
    const Graph graph = random_graph(mix({key, base}), static_cast<int>(parent.members(cell).size()), spare);
    if (parent.cell[index(rank_)] == cell)
      check(create(graph, parent.rank[index(rank_)], parent.comm, &made.comm), made.how);
    made.graphs[cell] = graph;
  }
}

void Families::free_all() {
  for (; families_.size() > 1; families_.pop_back()) {
    if (families_.back().comm != MPI_COMM_NULL) check(MPI_Comm_free(&families_.back().comm), "MPI_Comm_free");
  }
}

}  // namespace raddle::collectives
