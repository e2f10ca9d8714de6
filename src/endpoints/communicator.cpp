// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicator.hpp"

#include <algorithm>
#include <utility>

#include "endpoints/collectives/context.hpp"

namespace raddle::endpoints {

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
  in_order_ = std::ranges::is_sorted(places_, {}, &Place::process);
  // Of a process without endpoints `process_` says nothing: it takes part in nothing.
  MPI_Comm for_collectives = MPI_COMM_NULL;
  if (processes_ != MPI_COMM_NULL) PMPI_Comm_dup(processes_, &for_collectives);
  if (!ranks_.empty()) collectives_ = std::make_unique<collectives::Context>(*this, for_collectives);
}

Communicator::~Communicator() {
  if (processes_ != MPI_COMM_NULL) PMPI_Comm_free(&processes_);
}

}  // namespace raddle::endpoints
