// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/context.hpp"

#include <mutex>
#include <utility>

#include "endpoints/collectives/collective.hpp"

namespace raddle::endpoints::collectives {

Context::Context(const Communicator& communicator, MPI_Comm processes)
    : communicator_(communicator), processes_(processes), meeting_(static_cast<int>(communicator.own_ranks().size())) {
  if (alone()) return;
  PMPI_Comm_set_errhandler(processes_, MPI_ERRORS_RETURN);  // each endpoint raises its own
  int provided = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&provided);
  level_suffices_ = provided >= MPI_THREAD_MULTIPLE || meeting_.seats() == 1;
}

Context::~Context() {
  if (!alone()) PMPI_Comm_free(&processes_);
}

void Context::meet_on_node(std::byte* memory, std::vector<pid_t> processes) {
  node_meeting_.emplace(communicator_.size(), memory, std::move(processes));
  for (const int rank : communicator_.own_ranks()) node_meeting_->make_place(rank);
}

Collective* Context::ready(std::uint64_t number) {
  for (int index = 0; index < meeting_.seats(); ++index) {
    // Who has finished may be gone, and the seat belongs to a later number then.
    if (!meeting_.has_arrived(number, index)) continue;
    Collective* const part = meeting_.seat(number, index).part;
    return part->can_exchange() ? part : nullptr;
  }
  return nullptr;
}

void Context::progress() {
  if (alone()) return;
  const std::unique_lock lock(lock_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  while (Collective* const part = ready(next_)) {
    Exchanged& exchange = exchanged(next_);
    exchange.error = part->exchange(exchange);
    if (exchange.error != MPI_SUCCESS) {
      exchange.complete.store(next_, std::memory_order_release);
    } else {
      under_way_.push_back(next_);
    }
    ++next_;
  }
  for (auto number = under_way_.begin(); number != under_way_.end();) {
    Exchanged& exchange = exchanged(*number);
    int flag = 0;
    const int code = PMPI_Test(&exchange.request, &flag, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && flag == 0) {
      ++number;
      continue;
    }
    exchange.error = code;
    exchange.complete.store(*number, std::memory_order_release);
    number = under_way_.erase(number);
  }
}

}  // namespace raddle::endpoints::collectives
