// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of ranks that threads adopt.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <utility>
#include <vector>

#include "endpoints/errors.hpp"
#include "endpoints/handles.hpp"
#include "endpoints/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "engines/direct/creation.hpp"
#include "interpose/wrapper.hpp"
#include "raddle/raddle.h"

struct Raddle_Rank_s : raddle::endpoints::Rank {};

namespace {

namespace endpoints = raddle::endpoints;
using endpoints::Endpoint;
using endpoints::Kind;

/// A communicator of this rank alone. @throws Failure
Endpoint& self_of(const Endpoint& world) {
  const std::vector<MPI_Comm> handle = endpoints::own_handles(MPI_COMM_SELF, 1);
  if (handle.empty()) throw endpoints::Failure(endpoints::endpoints_error("the MPI has no communicators left"));
  const endpoints::Member& member = world.communicator().members()[static_cast<std::size_t>(world.rank())];
  raddle::direct::Creation::make(std::make_unique<endpoints::Communicator>(
                                     MPI_COMM_NULL, std::vector{endpoints::Place{0, 0}}, endpoints::Members{member}),
                                 handle);
  PMPI_Comm_set_name(handle.front(), "MPI_COMM_SELF");
  return *endpoints::find<Kind::communicator>(handle.front());
}

/// What was made before something failed.
void undo(std::vector<MPI_Comm>& worlds, Raddle_Rank ranks[]) {
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const std::unique_ptr<Raddle_Rank_s> rank(std::exchange(ranks[i], nullptr));
    if (rank) {
      MPI_Comm self = rank->self->comm;
      MPI_Comm_free(&self);
    }
    MPI_Comm_free(&worlds[i]);
  }
}

}  // namespace

RADDLE_ENTRY int Raddle_Ranks_create(int count, Raddle_Rank ranks[]) {
  std::vector<MPI_Comm> worlds(static_cast<std::size_t>(count > 0 ? count : 0));
  const int code = MPIX_Comm_create_endpoints(MPI_COMM_WORLD, count, MPI_INFO_NULL, worlds.data());
  if (code != MPI_SUCCESS) return code;
  std::fill_n(ranks, worlds.size(), nullptr);
  try {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      PMPI_Comm_set_name(worlds[i], "MPI_COMM_WORLD");
      auto made = std::make_unique<Raddle_Rank_s>();
      made->world = endpoints::find<Kind::communicator>(worlds[i]);
      made->self = &self_of(*made->world);
      ranks[i] = made.release();
    }
  } catch (...) {
    undo(worlds, ranks);
    return raddle::interpose::caught(MPI_COMM_WORLD);
  }
  endpoints::gate.fetch_or(endpoints::adopting, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Ranks_run_programs(int count, Raddle_Rank ranks[]) {
  for (int i = 0; i < count; ++i) {
    ranks[i]->world_to_be = std::exchange(ranks[i]->world, nullptr);
    ranks[i]->self_to_be = std::exchange(ranks[i]->self, nullptr);
  }
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Rank_adopt(Raddle_Rank rank) {
  endpoints::adopted = rank;
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Rank_adopted(Raddle_Rank* rank) {
  if (rank == nullptr) return endpoints::raise(endpoints::without_communicator(), MPI_ERR_ARG);
  *rank = static_cast<Raddle_Rank>(endpoints::adopted);
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Rank_refused(Raddle_Rank rank, const char** function) {
  *function = rank->refused.exchange(nullptr);
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Rank_calls(Raddle_Rank rank, long long* on_endpoints, long long* elsewhere) {
  *on_endpoints = rank->on_endpoint.load(std::memory_order_relaxed);
  *elsewhere = rank->past.load(std::memory_order_relaxed);
  return MPI_SUCCESS;
}
