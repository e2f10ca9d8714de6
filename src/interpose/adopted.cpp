// SPDX-License-Identifier: BSD-3-Clause
// Ranks that threads adopt: what functions that concern a process do for one, and the C entry points.
#include "interpose/adopted.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/files/null_file.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "engines/engine.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/wrapper.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"
#include "raddle/raddle.h"

namespace raddle::interpose::adopted {
using endpoints::Rank;

int raise(const Rank& rank, int code) {
  return rank.self != nullptr ? endpoints::raise(endpoints::without_communicator(), code)
                              : endpoints::raise_without_world(code);
}

void end_the_job(const std::string& call) {
  const platform::Ending ending;
  platform::last_words("raddle: " + call +
                       " is called by a rank before its MPI_Init or after its MPI_Finalize. Ending the job.\n");
  const endpoints::AsProcess process;
  platform::regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
  std::abort();  // some MPIs let it return
}

int initialize() {
  Rank& rank = *endpoints::adopted;
  if (!rank.initialized.exchange(true)) {
    rank.main_thread = std::this_thread::get_id();
    if (rank.world_to_be != nullptr) {
      rank.world = std::exchange(rank.world_to_be, nullptr);
      rank.self = std::exchange(rank.self_to_be, nullptr);
    }
    return MPI_SUCCESS;
  }
  return raise(rank, endpoints::error_with(MPI_ERR_OTHER, "Raddle: this rank has called MPI_Init before"));
}

int finalize() {
  Rank& rank = *endpoints::adopted;
  if (rank.finalized || rank.world_to_be != nullptr) end_the_job("MPI_Finalize");
  // First what programs hang on MPI_COMM_SELF for this moment: MPI is still there for them (MPI-4.1 section 11.2.4).
  for (endpoints::Endpoint** const one : {&rank.self, &rank.world}) {
    if (*one == nullptr) continue;  // the last time something after it has failed
    MPI_Comm comm = (*one)->comm;
    if (const int code = on_endpoint::Comm_free(**one, &comm); code != MPI_SUCCESS) return code;
    *one = nullptr;
  }
  endpoints::null_file::close(rank);
  rank.finalized = true;
  return MPI_SUCCESS;
}

int attach(void* buffer, std::int64_t bytes) {
  Rank& rank = *endpoints::adopted;
  return rank.buffer->attach(buffer, bytes) ? MPI_SUCCESS : raise(rank, MPI_ERR_BUFFER);
}

int refuse(const char* function) {
  endpoints::adopted->refused = function;
  return raise(*endpoints::adopted,
               endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                     std::string("Raddle: ") + function + " is not supported on an endpoint"));
}

}  // namespace raddle::interpose::adopted

struct Raddle_Rank_s : raddle::endpoints::Rank {};

namespace {

namespace endpoints = raddle::endpoints;
namespace platform = raddle::platform;
using endpoints::Endpoint;
using endpoints::Kind;

/// A communicator of this rank alone. @throws Failure
Endpoint& self_of(const Endpoint& world) {
  endpoints::OwnHandles own(MPI_COMM_SELF, 1);
  if (own.get().empty()) throw endpoints::Failure(endpoints::no_communicators_left());
  const endpoints::Member& member = world.communicator().members()[static_cast<std::size_t>(world.rank())];
  auto communicator = std::make_unique<endpoints::Communicator>(MPI_COMM_NULL, std::vector{endpoints::Place{0, 0}},
                                                                endpoints::Members{member});
  communicator->found();
  raddle::engines::engine({}).make(std::move(communicator), own.get());
  Endpoint& made = *endpoints::find<Kind::communicator>(own.get().front());
  own.keep();
  platform::regardless(PMPI_Comm_set_name(made.comm, "MPI_COMM_SELF"));
  return made;
}

/// @throws Failure
void make(const std::vector<MPI_Comm>& worlds, Raddle_Rank ranks[]) {
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    platform::regardless(PMPI_Comm_set_name(worlds[i], "MPI_COMM_WORLD"));
    auto made = std::make_unique<Raddle_Rank_s>();
    made->world = endpoints::find<Kind::communicator>(worlds[i]);
    made->self = &self_of(*made->world);
    made->everyone = made->world;
    made->everyone->communicator().hold();
    ranks[i] = made.release();
  }
}

/// Collective: all processes have their ranks, or none has. @returns an MPI error code
int make_together(const std::vector<MPI_Comm>& worlds, Raddle_Rank ranks[]) {
  int code = MPI_SUCCESS;
  try {
    make(worlds, ranks);
  } catch (...) {
    code = platform::code_of_caught();
  }
  int failed = code == MPI_SUCCESS ? 0 : 1;
  platform::must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD));
  if (failed == 0 || code != MPI_SUCCESS) return code;
  return endpoints::endpoints_error("another process could not make its ranks");
}

/// What was made before something failed.
void undo(std::vector<MPI_Comm>& worlds, Raddle_Rank ranks[]) {
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const std::unique_ptr<Raddle_Rank_s> rank(std::exchange(ranks[i], nullptr));
    if (rank) {
      MPI_Comm self = rank->self->comm;
      platform::regardless(MPI_Comm_free(&self));
      rank->everyone->communicator().let_go();
    }
    platform::regardless(MPI_Comm_free(&worlds[i]));
  }
}

}  // namespace

RADDLE_ENTRY int Raddle_Ranks_create(int count, Raddle_Rank ranks[]) {
  try {
    std::vector<MPI_Comm> worlds(static_cast<std::size_t>(count > 0 ? count : 0));
    std::fill_n(ranks, worlds.size(), nullptr);
    if (const int code = MPIX_Comm_create_endpoints(MPI_COMM_WORLD, count, MPI_INFO_NULL, worlds.data());
        code != MPI_SUCCESS)
      return code;
    if (const int code = make_together(worlds, ranks); code != MPI_SUCCESS) {
      undo(worlds, ranks);
      throw endpoints::Failure(code);
    }
  } catch (...) {
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

RADDLE_ENTRY int Raddle_Rank_takes_part(Raddle_Rank rank, int* flag) {
  *flag = (rank->initialized && !rank->finalized) || rank->sessions > 0 ? 1 : 0;
  return MPI_SUCCESS;
}

RADDLE_ENTRY int Raddle_Rank_calls(Raddle_Rank rank, long long* on_endpoints, long long* elsewhere) {
  *on_endpoints = rank->on_endpoint.load(std::memory_order_relaxed);
  *elsewhere = rank->past.load(std::memory_order_relaxed);
  return MPI_SUCCESS;
}
