// SPDX-License-Identifier: BSD-3-Clause
// Which communicators come of what the ranks gave.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/communicators/own_comm.hpp"
#include "endpoints/communicators/processes.hpp"
#include "endpoints/errors.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

using platform::must;

void sort_by_key(std::vector<int>& ranks, const Agreement& agreement) {
  std::ranges::sort(ranks, {}, [&](int rank) { return std::pair(agreement.given(rank).key, rank); });
}

/// The type that all give who give one; MPI_UNDEFINED if nobody does. @throws Failure
int type_of(const Agreement& agreement) {
  int type = MPI_UNDEFINED;
  for (const int rank : agreement.ranks()) {
    const int given = agreement.given(rank).colour;
    if (given == MPI_UNDEFINED || given == type) continue;
    if (type != MPI_UNDEFINED)
      throw Failure(error_with(MPI_ERR_ARG, "Raddle: endpoints gave different types to MPI_Comm_split_type"));
    type = given;
  }
  return type;
}

/// Asks the MPI; collective over all processes. @returns those with which this one is, by their numbers
std::set<int> processes_with(const Communicator& communicator, int type, MPI_Info info, int ticket) {
  const bool alone = communicator.processes() == MPI_COMM_NULL;
  MPI_Comm all = alone ? own_comm() : processes_of(communicator, ticket);
  if (all == MPI_COMM_NULL) throw Failure(endpoints_error("the MPI has no communicators left"));
  MPI_Comm part = MPI_COMM_NULL;
  std::set<int> found;
  const int code = PMPI_Comm_split_type(all, type, communicator.process(), info, &part);
  if (code == MPI_SUCCESS && part != MPI_COMM_NULL) {
    MPI_Group of_part = MPI_GROUP_NULL;
    MPI_Group in_all = MPI_GROUP_NULL;
    int size = 0;
    must("MPI_Comm_size", PMPI_Comm_size(part, &size));
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::vector<int> numbers(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    must("MPI_Comm_group", PMPI_Comm_group(part, &of_part));
    must("MPI_Comm_group", PMPI_Comm_group(all, &in_all));
    must("MPI_Group_translate_ranks", PMPI_Group_translate_ranks(of_part, size, ranks.data(), in_all, numbers.data()));
    found.insert(numbers.begin(), numbers.end());
    must("MPI_Group_free", PMPI_Group_free(&of_part));
    must("MPI_Group_free", PMPI_Group_free(&in_all));
    must("MPI_Comm_free", PMPI_Comm_free(&part));
  }
  must("MPI_Comm_free", PMPI_Comm_free(&all));
  if (code != MPI_SUCCESS) throw Failure(code);
  return found;
}

}  // namespace

std::vector<Birth> of_all(const Communicator&, const Agreement& agreement) { return {{agreement.ranks()}}; }

std::vector<Birth> by_colour(const Communicator&, const Agreement& agreement) {
  std::map<int, std::vector<int>> parts;  // all processes make theirs in the order of colours
  for (const auto& [rank, newcomer] : agreement.newcomers()) {
    if (const int colour = agreement.given(rank).colour; colour != MPI_UNDEFINED) parts[colour];
  }
  for (const int rank : agreement.ranks()) {
    if (const auto part = parts.find(agreement.given(rank).colour); part != parts.end()) part->second.push_back(rank);
  }
  std::vector<Birth> births;
  for (auto& [colour, ranks] : parts) {
    sort_by_key(ranks, agreement);
    births.push_back({std::move(ranks)});
  }
  return births;
}

std::vector<Birth> of_alike(const Communicator& communicator, const Agreement& agreement) {
  const std::uint64_t first = agreement.given(agreement.ranks().front()).digest;
  if (!std::ranges::all_of(agreement.ranks(), [&](int rank) { return agreement.given(rank).digest == first; }))
    throw Failure(
        error_with(MPI_ERR_ARG, "Raddle: endpoints gave different arguments where all have to give the same"));
  return by_colour(communicator, agreement);
}

std::vector<Birth> by_type(const Communicator& communicator, const Agreement& agreement) {
  const int type = type_of(agreement);
  if (type == MPI_UNDEFINED) return {};
  int own_type = MPI_UNDEFINED;
  MPI_Info info = MPI_INFO_NULL;
  for (const auto& [rank, newcomer] : agreement.newcomers()) {
    if (agreement.given(rank).colour != type) continue;
    own_type = type;
    info = newcomer->info;
  }
  const std::set<int> processes = processes_with(communicator, own_type, info, agreement.ticket());
  Birth birth;
  for (const int rank : agreement.ranks()) {
    if (agreement.given(rank).colour == type &&
        processes.contains(communicator.places()[static_cast<std::size_t>(rank)].process))
      birth.ranks.push_back(rank);
  }
  if (birth.ranks.empty()) return {};
  sort_by_key(birth.ranks, agreement);
  return {birth};
}

std::vector<Birth> as_chosen(const Communicator&, const Agreement& agreement) {
  std::map<int, Birth> births;  // no two have a rank in common: all processes make theirs in the order of their least
  for (const auto& [rank, newcomer] : agreement.newcomers()) {
    const std::vector<int>& ranks = newcomer->chosen;
    if (ranks.empty()) continue;
    const bool agreed = std::ranges::all_of(
        ranks, [&, own = newcomer](int other) { return agreement.given(other).digest == own->given.digest; });
    const int code =
        agreed ? MPI_SUCCESS : error_with(MPI_ERR_GROUP, "Raddle: endpoints of one group gave different groups");
    // Of different groups with the same least rank none is made.
    births.try_emplace(agreed ? *std::ranges::min_element(ranks) : -1 - rank,
                       agreed ? Birth{ranks} : Birth{{rank}, code});
  }
  std::vector<Birth> all;
  for (auto& [least, birth] : births) all.push_back(std::move(birth));
  return all;
}

std::uint64_t digest_of(const std::vector<int>& numbers) {
  std::uint64_t digest = 0xcbf29ce484222325U + numbers.size();
  for (const int number : numbers) digest = (digest ^ static_cast<std::uint64_t>(number)) * 0x100000001b3U;
  return digest;
}

}  // namespace raddle::endpoints
