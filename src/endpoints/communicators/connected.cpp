// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/connected.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "endpoints/groups/group.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

using platform::must;

/// What a process tells first.
struct OfGroup {
  int second;  ///< its group is the second one
  int ranks;
};

/// What all processes have told.
struct Everybody {
  std::vector<OfGroup> fronts;           ///< by process
  std::vector<std::vector<Seat>> seats;  ///< by process
};

/// Collective.
Everybody tell(MPI_Comm processes, bool first, const std::vector<Seat>& own) {
  int count = 0;
  must("MPI_Comm_size", PMPI_Comm_size(processes, &count));
  Everybody all;
  all.fronts.resize(static_cast<std::size_t>(count));
  const OfGroup mine{first ? 0 : 1, static_cast<int>(own.size())};
  must("MPI_Allgather", PMPI_Allgather(&mine, 2, MPI_INT, all.fronts.data(), 2, MPI_INT, processes));
  std::vector<int> counts;
  std::vector<int> places;
  int total = 0;
  for (const OfGroup& one : all.fronts) {
    counts.push_back(2 * one.ranks);
    places.push_back(total);
    total += counts.back();
  }
  std::vector<Seat> seats(static_cast<std::size_t>(total / 2));
  must("MPI_Allgatherv", PMPI_Allgatherv(own.data(), 2 * mine.ranks, MPI_INT, seats.data(), counts.data(),
                                         places.data(), MPI_INT, processes));
  auto next = seats.begin();
  for (const OfGroup& one : all.fronts) {
    all.seats.emplace_back(next, next + one.ranks);
    next += one.ranks;
  }
  return all;
}

/// The ranks of one group, or of both, and where they are.
struct Ranked {
  std::vector<Place> places;
  Members members;
};

/// @param numbers  of the processes, as those of the result
Ranked ranked(const Everybody& all, const Members& processes, const std::vector<int>& numbers, int which) {
  int ranks = 0;
  for (const OfGroup& one : all.fronts) ranks += one.second == which ? one.ranks : 0;
  Ranked made{std::vector<Place>(static_cast<std::size_t>(ranks)), Members(static_cast<std::size_t>(ranks))};
  for (std::size_t process = 0; process < all.seats.size(); ++process) {
    if (all.fronts[process].second != which) continue;
    int index = 0;
    for (const Seat& seat : all.seats[process]) {
      made.places[static_cast<std::size_t>(seat.rank)] = {numbers[process], index++};
      made.members[static_cast<std::size_t>(seat.rank)] = {processes[process].process, seat.index};
    }
  }
  return made;
}

/// Collective over all: the group of this process by itself.
std::unique_ptr<Communicator> alone(MPI_Comm processes, const Everybody& all, const Members& members, int which) {
  MPI_Comm own = MPI_COMM_NULL;
  must("MPI_Comm_split", PMPI_Comm_split(processes, which, 0, &own));
  std::vector<int> numbers;
  int count = 0;
  for (const OfGroup& one : all.fronts) numbers.push_back(one.second == which ? count++ : -1);
  if (count == 1) must("MPI_Comm_free", PMPI_Comm_free(&own));  // a process alone has none
  Ranked ranks = ranked(all, members, numbers, which);
  return std::make_unique<Communicator>(own, std::move(ranks.places), std::move(ranks.members));
}

}  // namespace

std::unique_ptr<Communicator> connected(MPI_Comm between, bool first, const std::vector<Seat>& own) {
  MPI_Comm processes = MPI_COMM_NULL;
  must("MPI_Intercomm_merge", PMPI_Intercomm_merge(between, first ? 0 : 1, &processes));
  must("MPI_Comm_free", PMPI_Comm_free(&between));
  const Everybody all = tell(processes, first, own);
  const Members members = members_of(processes);
  std::vector<int> numbers(all.fronts.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  Ranked both = ranked(all, members, numbers, 0);
  Groups groups{.first = static_cast<int>(both.places.size())};
  groups.sides[first ? 0 : 1] = alone(processes, all, members, first ? 0 : 1);
  Ranked second = ranked(all, members, numbers, 1);
  both.places.insert(both.places.end(), second.places.begin(), second.places.end());
  both.members.insert(both.members.end(), second.members.begin(), second.members.end());
  auto made =
      std::make_unique<Communicator>(processes, std::move(both.places), std::move(both.members), std::move(groups));
  made->found();
  return made;
}

}  // namespace raddle::endpoints
