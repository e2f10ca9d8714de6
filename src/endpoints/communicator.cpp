// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicator.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/rank.hpp"

namespace raddle::endpoints {
namespace {

/// By process: ranks in the world; those of other worlds have none and keep their order.
std::vector<int> ranks_in_the_world(MPI_Comm processes, int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  if (processes == MPI_COMM_NULL) return ranks;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  std::vector<int> found(ranks.size());
  const AsProcess process;
  PMPI_Comm_group(processes, &all);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(all, count, ranks.data(), world, found.data());
  PMPI_Group_free(&world);
  PMPI_Group_free(&all);
  return found;
}

}  // namespace

Communicator::Communicator(MPI_Comm processes, std::vector<Place> places, Members members)
    : processes_(processes), places_(std::move(places)), members_(std::move(members)) {
  if (processes_ != MPI_COMM_NULL) {
    PMPI_Comm_set_errhandler(processes_, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(processes_, &process_);
  }
  for (int rank = 0; rank < size(); ++rank) {
    const auto process = static_cast<std::size_t>(places_[static_cast<std::size_t>(rank)].process);
    if (process >= ranks_.size()) ranks_.resize(process + 1);
    ranks_[process].push_back(rank);
  }
  seniority_ = ranks_in_the_world(processes_, process_count());
  in_order_ = std::ranges::is_sorted(places_, {}, &Place::process);
  // Of a process without endpoints `process_` says nothing: it takes part in nothing.
  MPI_Comm for_collectives = MPI_COMM_NULL;
  if (processes_ != MPI_COMM_NULL && PMPI_Comm_dup(processes_, &for_collectives) != MPI_SUCCESS) {
    PMPI_Comm_free(&processes_);
    throw Failure(no_communicators_left());
  }
  if (!ranks_.empty()) collectives_ = std::make_unique<collectives::Context>(*this, for_collectives);
}

Communicator::~Communicator() {
  if (processes_ != MPI_COMM_NULL) PMPI_Comm_free(&processes_);
}

}  // namespace raddle::endpoints
