// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/communicator.hpp"

#include <algorithm>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "node/own_number.hpp"
#include "platform/must.hpp"

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

}  // namespace

Communicator::Communicator(MPI_Comm processes, std::vector<Place> places, Members members)
    : processes_(processes), places_(std::move(places)), members_(std::move(members)) {
  if (processes_ != MPI_COMM_NULL) {
    platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(processes_, MPI_ERRORS_RETURN));
    platform::must("MPI_Comm_rank", PMPI_Comm_rank(processes_, &process_));
  }
  for (int rank = 0; rank < size(); ++rank) {
    const auto process = static_cast<std::size_t>(places_[static_cast<std::size_t>(rank)].process);
    if (process >= ranks_.size()) ranks_.resize(process + 1);
    ranks_[process].push_back(rank);
  }
  seniority_ = seniority_of(processes_, process_count());
  in_order_ = std::ranges::is_sorted(places_, {}, &Place::process);
  // Of a process without endpoints `process_` says nothing: it takes part in nothing.
  if (!ranks_.empty()) collectives_ = std::make_unique<collectives::Context>(*this);
}

Communicator::~Communicator() {
  // What was begun on it for calls that do not match may still come: the MPI must not give its context to another one.
  const bool abandoned = collectives_ && collectives_->abandoned();
  if (processes_ != MPI_COMM_NULL && !abandoned) platform::regardless(PMPI_Comm_free(&processes_));
}

}  // namespace raddle::endpoints
