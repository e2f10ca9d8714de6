// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/barrier.hpp"

#include "interpose/on_endpoint/collective.hpp"
#include "interpose/on_endpoint/collective_call.hpp"
#include "interpose/on_endpoint/in_seats.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using AtBarrier = endpoints::collectives::Barrier;

Checked<AtBarrier::Arguments> without_arguments(Held*) { return {}; }

}  // namespace

int Barrier(Endpoint& endpoint) {
  using endpoints::collectives::Call;
  constexpr std::uint64_t word = Call{.kind = Call::Kind::barrier}.word();
  const int code = in_seats(endpoint, "MPI_Barrier", word, [](auto&) {}, [](auto&, std::uint64_t) {});
  if (code != another_way) return code;
  return run<AtBarrier>(endpoint, "MPI_Barrier", without_arguments);
}

int Ibarrier(Endpoint& endpoint, MPI_Request* request) {
  return start<AtBarrier>(endpoint, request, without_arguments);
}

int Barrier_init(Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<AtBarrier>(endpoint, "MPI_Barrier_init", request, without_arguments);
}

}  // namespace raddle::interpose::on_endpoint
