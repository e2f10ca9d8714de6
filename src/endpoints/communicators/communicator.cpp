// SPDX-License-Identifier: BSD-3-Clause

#include "endpoints/communicators/communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "endpoints/collectives/context.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "node/process_watch.hpp"
#include "platform/must.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints {
namespace {

/// Collective. By process.
std::vector<std::uint64_t> seniority_of(MPI_Comm processes, int count) {
  const std::uint64_t own = node::own_number();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(count), own);
  if (processes != MPI_COMM_NULL)
    platform::must("MPI_Allgather", PMPI_Allgather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, processes));
  return all;
}

/// By name. Any thread.
struct Origins {
  std::mutex guard;
  std::map<std::uint64_t, Communicator*> all;
  std::uint64_t of_one_process = 0;  ///< so many of them: nobody else names those
};

Origins& origins() {
  static auto& lasting = *new Origins;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace

Communicator::Communicator(MPI_Comm processes, std::vector<Place> places, Members members, Groups groups)
    : processes_(processes), places_(std::move(places)), members_(std::move(members)), groups_(std::move(groups)) {
  if (processes_ != MPI_COMM_NULL) {
    platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(processes_, MPI_ERRORS_RETURN));
    platform::must("MPI_Comm_rank", PMPI_Comm_rank(processes_, &process_));
  }
  for (const Place& place : places_) {
    const auto process = static_cast<std::size_t>(place.process);
    if (process + 1 >= first_of_.size()) first_of_.resize(process + 2);
    ++first_of_[process + 1];
  }
  std::partial_sum(first_of_.begin(), first_of_.end(), first_of_.begin());
  ranks_.resize(places_.size());
  std::iota(ranks_.begin(), ranks_.end(), 0);
  std::ranges::stable_sort(ranks_, {}, [&](int rank) { return places_[static_cast<std::size_t>(rank)].process; });
  seniority_ = seniority_of(processes_, process_count());
  in_order_ = std::ranges::is_sorted(places_, {}, &Place::process);
  // Of a process without endpoints `process_` says nothing: it takes part in nothing.
  if (!ranks_.empty()) collectives_ = std::make_unique<collectives::Context>(*this);
}

void Communicator::found() {
  origin_ = this;
  Origins& known = origins();
  const std::lock_guard lock(known.guard);
  name_ =
      processes_ == MPI_COMM_NULL ? of_one_process | ++known.of_one_process : collectives_->name() & ~of_one_process;
  known.all[name_] = this;
}

void Communicator::descend_from(Communicator& parent) {
  origin_ = parent.origin_;
  origin_->hold();
}

Communicator* Communicator::origin_named(std::uint64_t name) {
  Origins& known = origins();
  const std::lock_guard lock(known.guard);
  const auto found = known.all.find(name);
  return found == known.all.end() ? nullptr : found->second;
}

void Communicator::enrol(int index, Endpoint& endpoint) {
  endpoints_.resize(own_ranks().size());
  endpoints_[static_cast<std::size_t>(index)] = &endpoint;
}

Communicator::~Communicator() {
  if (origin_ == this) {
    Origins& known = origins();
    const std::lock_guard lock(known.guard);
    known.all.erase(name_);
  } else if (origin_ != nullptr) {
    origin_->let_go();
  }
  // What was begun on it for calls that do not match may still come: the MPI must not give its context to another one.
  const bool abandoned = collectives_ && collectives_->abandoned();
  if (processes_ != MPI_COMM_NULL && !abandoned) platform::regardless(PMPI_Comm_free(&processes_));
}

CommonTurn::CommonTurn(const Communicator& communicator) : taken_(communicator.process_count() > 1) {
  if (!taken_) return;
  take([&](bool mine) {
    const int has = mine ? 1 : 0;
    int all = 0;
    platform::must("MPI_Allreduce", PMPI_Allreduce(&has, &all, 1, MPI_INT, MPI_MIN, communicator.processes()));
    return all != 0;
  });
}

CommonTurn::CommonTurn(const std::function<bool(bool)>& all) : taken_(true) { take(all); }

void CommonTurn::take(const std::function<bool(bool)>& all) {
  for (int tries = 0;; ++tries) {
    // Two that have made each other fail should not try again at the same time.
    if (tries != 0) std::this_thread::sleep_for(TwoPhaseCommit::pause_after(tries));
    platform::Waiting waiting(false);
    TwoPhaseCommit::Answer answer = Turn::ask(this);
    for (; answer == TwoPhaseCommit::Answer::later; answer = Turn::ask(this)) waiting.turn();
    const bool mine = answer == TwoPhaseCommit::Answer::taken;
    if (all(mine)) break;
    if (mine) Turn::give_back();
  }
  Turn::commit(this);
}

CommonTurn::~CommonTurn() {
  if (taken_) Turn::give_back();
}

std::uint64_t name_of(MPI_Comm processes) {
  if (processes == MPI_COMM_NULL) return 0;
  static std::atomic<std::uint64_t> given{0};
  std::uint64_t name = node::own_number() + given.fetch_add(1, std::memory_order_relaxed);  // that of the first counts
  platform::must("MPI_Bcast", PMPI_Bcast(&name, 1, MPI_UINT64_T, 0, processes));
  return name;
}

MPI_Comm processes_of(const Communicator& parent, const std::vector<int>& processes, int ticket) {
  if (processes.size() <= 1) return MPI_COMM_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  platform::must("MPI_Comm_group", PMPI_Comm_group(parent.processes(), &all));
  platform::must("MPI_Group_incl", PMPI_Group_incl(all, static_cast<int>(processes.size()), processes.data(), &some));
  const int code = PMPI_Comm_create_group(parent.processes(), some, ticket, &made);
  platform::regardless(PMPI_Group_free(&some));
  platform::regardless(PMPI_Group_free(&all));
  if (code != MPI_SUCCESS) throw Failure(no_communicators_left());
  platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  return made;
}

MPI_Comm processes_of(const Communicator& parent, int ticket) {
  std::vector<int> all(static_cast<std::size_t>(parent.process_count()));
  std::iota(all.begin(), all.end(), 0);
  return processes_of(parent, all, ticket);
}

// Which communicators come of what the ranks gave.
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

std::vector<Birth> of_two_groups(const Communicator& communicator, const Agreement& agreement) {
  std::vector<Birth> births = as_chosen(communicator, agreement);
  for (Birth& birth : births) birth.first_group = agreement.newcomers().begin()->second->first_group;
  return births;
}

std::vector<Birth> of_each_group(const Communicator& communicator, const Agreement& agreement) {
  for (const int which : {0, 1}) {
    const auto [first, size] = communicator.side(which);
    for (int rank = first; rank < first + size; ++rank) {
      if (agreement.given(rank).digest != agreement.given(first).digest)
        throw Failure(error_with(MPI_ERR_GROUP, "Raddle: endpoints of one group gave different groups"));
    }
  }
  return by_colour(communicator, agreement);
}

std::vector<Birth> merged(const Communicator& communicator, const Agreement& agreement) {
  const auto high = [&](int which) {
    const auto [first, size] = communicator.side(which);
    const int of_first = agreement.given(first).colour;
    for (int rank = first; rank < first + size; ++rank) {
      if (agreement.given(rank).colour != of_first)
        throw Failure(error_with(MPI_ERR_ARG, "Raddle: endpoints of one group gave different values of high"));
    }
    return of_first;
  };
  Birth birth{.ranks = agreement.ranks(), .merged = true};
  if (high(0) > high(1)) std::ranges::rotate(birth.ranks, birth.ranks.begin() + communicator.side(0).size);
  return {birth};
}

std::uint64_t digest_of(const std::vector<int>& numbers) {
  std::uint64_t digest = 0xcbf29ce484222325U + numbers.size();
  for (const int number : numbers) digest = (digest ^ static_cast<std::uint64_t>(number)) * 0x100000001b3U;
  return digest;
}

}  // namespace raddle::endpoints
