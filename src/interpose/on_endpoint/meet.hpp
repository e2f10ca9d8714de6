// SPDX-License-Identifier: BSD-3-Clause
// What the functions share by which endpoints come together with ranks of other jobs: one thread of each process calls
// the MPI's function for its endpoints, and the processes that it brings together are those of a communicator of
// endpoints.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/communicators/connected.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "engines/engine.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {

/// Others may never come: whoever waits for them should know why.
class Patience {
 public:
  static constexpr int limit = 30;  ///< seconds
  /// @param why  a line for the standard error, without "raddle: "
  explicit Patience(std::string why) : why_(std::move(why)) {}

  /// While nobody has come: says why that may be, once.
  void wait() {
    if (told_ || std::chrono::steady_clock::now() - begun_ < std::chrono::seconds(limit)) return;
    told_ = true;
    std::fprintf(stderr, "raddle: %s\n", why_.c_str());
  }

 private:
  std::string why_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  bool told_ = false;
};

/// All have to give the same root, as `Given::colour`. @throws endpoints::Failure
inline int root_of(const endpoints::Agreement& agreement) {
  const int root = agreement.given(agreement.ranks().front()).colour;
  if (!std::ranges::all_of(agreement.ranks(), [&](int rank) { return agreement.given(rank).colour == root; }))
    throw endpoints::Failure(
        endpoints::error_with(MPI_ERR_ROOT, "Raddle: endpoints gave different roots to this call"));
  return root;
}

/// What the MPI's function has brought together.
struct Connection {
  MPI_Comm between = MPI_COMM_NULL;                  ///< an intercommunicator
  std::unique_ptr<endpoints::CommonTurn> turn = {};  ///< of the processes of both groups; nullptr: not taken
};

/// What one thread does for all ranks of its process.
/// @param first  whether the ranks of this side are the first group
/// @param mpis   the MPI's function: (processes, rank of the root's process there, the root or nullptr) to a
/// Connection;
///               throws Failure, on all processes
/// @throws endpoints::Failure, on all processes
template <typename Mpis>
void meet(Endpoint& endpoint, const endpoints::Agreement& agreement, bool first, Mpis&& mpis) {
  if (const int wrong = endpoints::wrong_in(agreement); wrong != MPI_SUCCESS) throw endpoints::Failure(wrong);
  const endpoints::Communicator& own = endpoint.communicator();
  const int root = root_of(agreement);
  Newcomer* of_root = nullptr;
  std::vector<MPI_Comm> handles;
  std::vector<endpoints::Seat> seats;
  for (const auto& [rank, newcomer] : agreement.newcomers()) {
    if (rank == root) of_root = newcomer;
    handles.push_back(newcomer->handle);
    seats.push_back({rank, own.members()[static_cast<std::size_t>(rank)].index});
  }
  const endpoints::AsProcess process;
  const bool alone = own.processes() == MPI_COMM_NULL;
  MPI_Comm processes = alone ? endpoints::own_comm() : endpoints::processes_of(own, agreement.ticket());
  if (processes == MPI_COMM_NULL) throw endpoints::Failure(endpoints::no_communicators_left());
  agreement.end_turn();  // the other side may need it before it comes
  Connection made;
  try {
    made = mpis(processes, own.places()[static_cast<std::size_t>(root)].process, of_root);
  } catch (const endpoints::Failure&) {
    platform::regardless(PMPI_Comm_free(&processes));
    throw;
  }
  platform::regardless(PMPI_Comm_free(&processes));
  auto both = endpoints::connected(made.between, first, seats);
  if (made.turn != nullptr) {
    engines::engine({}).make(std::move(both), handles);
  } else {
    engines::make_in_turn(engines::engine({}), std::move(both), handles);
  }
}

/// For endpoints::Once: what `act` throws is how the call ends for all ranks of the process.
template <typename Act>
void for_all(const endpoints::Agreement& agreement, Act&& act) {
  int code = MPI_SUCCESS;
  try {
    act();
  } catch (const endpoints::Failure& failure) {
    code = failure.code;
  }
  for (const auto& [rank, newcomer] : agreement.newcomers()) {
    if (newcomer->code == MPI_SUCCESS) newcomer->code = code;
    newcomer->member = code == MPI_SUCCESS;
  }
}

/// Makes the call with all ranks of the communicator. @returns an MPI error code, raised
inline int come_together(Endpoint& endpoint, const char* call, Newcomer& newcomer, endpoints::Once act,
                         MPI_Comm* made) {
  if (newcomer.code == MPI_SUCCESS) bring_handle(newcomer, endpoint);
  endpoints::do_once(endpoint, call, endpoints::call_of_all(endpoint.next_call()), newcomer, act);
  if (!newcomer.member && newcomer.handle != MPI_COMM_NULL) endpoints::free_own_handle(newcomer.handle);
  *made = newcomer.handle;
  return newcomer.code == MPI_SUCCESS
             ? MPI_SUCCESS
             : endpoints::raise(endpoint.comm, endpoints::Failure(newcomer.code, newcomer.raised));
}

}  // namespace raddle::interpose::on_endpoint
