// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/proxy_creation.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"
#include "platform/settings.hpp"

namespace raddle::proxy {
namespace {

using platform::must;

/// Collective: whether it is so for all.
bool all(const endpoints::Communicator& communicator, bool mine) {
  int every = mine ? 1 : 0;
  if (communicator.processes() != MPI_COMM_NULL)
    must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_LAND, communicator.processes()));
  return every != 0;
}

/// What stands against them; "": nothing.
std::string objection(const endpoints::Communicator& communicator, const Proxies* proxies) {
  if (proxies == nullptr)
    return "this process has no proxies: start the job with raddle exec --engine proxy --endpoints E";
  int processes = 0;
  must("MPI_Comm_size", PMPI_Comm_size(MPI_COMM_WORLD, &processes));
  for (const endpoints::Member& member : communicator.members()) {
    if (member.process >= processes) return "a process that is not of MPI_COMM_WORLD has no proxies";
    if (member.index >= proxies->each()) {
      return "endpoint " + std::to_string(member.index) + " of a process was asked for, and each process has " +
             std::to_string(proxies->each()) + " proxies (RADDLE_PROXIES)";
    }
  }
  return "";
}

}  // namespace

void ProxyCreation::make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) {
  Proxies* const proxies = Proxies::get();
  const std::string why = objection(*communicator, proxies);
  if (!all(*communicator, why.empty()))
    throw endpoints::Failure(endpoints::endpoints_error(why.empty() ? "another process has no proxies for them" : why));
  std::unique_ptr<ProxyCreation> creation(new ProxyCreation(std::move(communicator), *proxies));
  const std::vector<std::int32_t> ranks = creation->proxy_ranks();
  creation->take_room(handles, ranks);
  const int code = creation->make_endpoints();
  if (!all(creation->communicator(), code == MPI_SUCCESS))
    throw endpoints::Failure(endpoints::endpoints_error("the proxies' MPI could not make a communicator"));
  for (const auto& endpoint : creation->endpoints_)
    endpoints::insert<endpoints::Kind::communicator>(endpoint->comm, *endpoint);
  keep(std::move(creation));
}

ProxyCreation::ProxyCreation(std::unique_ptr<endpoints::Communicator> communicator, Proxies& proxies)
    : engines::Creation(std::move(communicator)), proxies_(proxies), number_(proxies.take_number()) {}

std::vector<std::int32_t> ProxyCreation::proxy_ranks() {
  std::vector<std::int32_t> ranks;
  for (const endpoints::Member& member : communicator().members())
    ranks.push_back(proxies_.rank_of(member.process, member.index));
  return ranks;
}

/// What one process does not post the proxies of all others would wait for.
void ProxyCreation::take_room(const std::vector<MPI_Comm>& handles, const std::vector<std::int32_t>& ranks) {
  const endpoints::Members& members = communicator().members();
  bool ready = true;
  for (std::size_t index = 0; index < handles.size(); ++index) {
    const int rank = communicator().own_ranks()[index];
    endpoints_.push_back(std::make_unique<ProxyEndpoint>(handles[index], rank, *this, proxies_,
                                                         members[static_cast<std::size_t>(rank)].index, number_));
    all_.push_back(endpoints_.back().get());
    ready = endpoints_.back()->prepare_communicator(ranks) && ready;
  }
  if (all(communicator(), ready)) return;
  int code = MPI_SUCCESS;
  for (const auto& endpoint : endpoints_) code = std::max(code, endpoint->give_up_communicator());
  all_.clear();
  endpoints_.clear();
  if (ready) code = endpoints::error_with(MPI_ERR_NO_MEM, "Raddle: another process's heap has no room for endpoints");
  throw platform::failure_of_all(code);
}

int ProxyCreation::make_endpoints() {
  {
    // Each proxy makes one communicator after the other: all of this process hear of them in one order.
    static std::mutex one_after_the_other;
    const std::lock_guard lock(one_after_the_other);
    for (const auto& endpoint : endpoints_) endpoint->start_communicator();
  }
  int code = MPI_SUCCESS;
  for (const auto& endpoint : endpoints_) code = std::max(code, endpoint->finish_communicator());
  return code;
}

std::string ProxyCreation::describe() const {
  std::string text;
  for (const auto& endpoint : endpoints_) text += endpoint->describe() + "\n";
  return text;
}

ProxyCreation::~ProxyCreation() {
  for (const auto& endpoint : endpoints_) endpoint->free_communicator();
  proxies_.give_back(number_);
}

}  // namespace raddle::proxy
