// SPDX-License-Identifier: BSD-3-Clause
// Endpoints that connect: MPI-4.1 sections 11.9 and 11.10. The roots find each other by a socket (rendezvous.hpp) and
// tell who they are. Endpoints of one job have an origin in common: what they get is made there. Others are connected
// by the MPI, process by process.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/rank.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/meet.hpp"
#include "interpose/on_endpoint/party.hpp"
#include "interpose/rendezvous.hpp"
#include "interpose/wrapper.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Communicator;
using endpoints::Failure;
using endpoints::raise;
using platform::must;

std::optional<Party> swap(rendezvous::Channel& channel, const Party& mine, const rendezvous::Until& until) {
  const std::optional<std::vector<std::byte>> in = channel.exchange(packed(mine), until);
  return in ? unpacked(*in) : std::nullopt;
}

/// How a root finds the other one.
struct Found {
  std::unique_ptr<rendezvous::Channel> channel;
  std::string port;  ///< the MPI's, of who accepts
};
/// @throws Failure
using Find = std::function<Found(const rendezvous::Until&)>;

/// A rank that connects by the MPI's means: the root has them.
struct Connecting : Newcomer {
  bool accepts = false;
  std::string port;
  MPI_Info info = MPI_INFO_NULL;
};

/// By the root. @param ranks  of both groups, if they have an origin in common
Agreed find_the_other(Endpoint& endpoint, const char* call, const Find& find, Connecting& by_mpi,
                      std::vector<int>& ranks) {
  const rendezvous::Until until = [&](const std::function<bool()>& step) {
    endpoints::progress_until(endpoint, call, step);
  };
  try {
    const Found found = find(until);
    Party mine = party_of(endpoint, origin_of(endpoint));
    mine.port.assign(found.port.begin(), found.port.end());
    const std::optional<Party> theirs = swap(*found.channel, mine, until);
    if (!theirs)
      throw Failure(endpoints::error_with(
          MPI_ERR_OTHER, std::string("Raddle: the other side of ") + call + " has gone, or it is none of endpoints"));
    const Party& one = by_mpi.accepts ? mine : *theirs;
    const Party& other = by_mpi.accepts ? *theirs : mine;
    ranks = ranks_of_both(one, other);
    by_mpi.port.assign(one.port.begin(), one.port.end());
    const Agreed agreed = agree(one, other);
    if (agreed.code == MPI_SUCCESS && agreed.origin == 0 && one.port.empty())
      throw Failure(endpoints::error_with(
          MPI_ERR_PORT, "Raddle: the endpoints are of different jobs, and this MPI could not open a port"));
    return agreed;
  } catch (const Failure& failure) {
    return {.code = failure.code};
  }
}

void connect_once(Endpoint& endpoint, const endpoints::Agreement& agreement) {
  const bool accepts = static_cast<Connecting*>(agreement.newcomers().begin()->second)->accepts;
  for_all(agreement, [&] {
    meet(endpoint, agreement, accepts, [&](MPI_Comm processes, int root, Newcomer* of_root) {
      const auto* const one = static_cast<Connecting*>(of_root);
      const std::string port = one == nullptr ? std::string() : one->port;
      const MPI_Info info = one == nullptr ? MPI_INFO_NULL : one->info;
      MPI_Comm between = MPI_COMM_NULL;
      const int code = accepts ? PMPI_Comm_accept(port.c_str(), info, root, processes, &between)
                               : PMPI_Comm_connect(port.c_str(), info, root, processes, &between);
      if (code != MPI_SUCCESS || between == MPI_COMM_NULL) throw Failure(code == MPI_SUCCESS ? MPI_ERR_OTHER : code);
      return Connection{between};
    });
  });
}

/// Collective. @param find  at the root
/// @param by_mpi  what the MPI is to do where it has to: at the root
int connect(Endpoint& endpoint, const char* call, int root, const Find& find, Connecting& by_mpi, MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  if (!is_rank(endpoint, root)) return raise(endpoint.comm, MPI_ERR_ROOT);
  try {
    Agreed agreed;
    std::vector<int> ranks;
    if (endpoint.rank() == root) agreed = find_the_other(endpoint, call, find, by_mpi, ranks);
    const auto tell = [&](void* what, std::size_t bytes) {
      return Bcast(what, static_cast<MPI_Count>(bytes), MPI_BYTE, root, endpoint);
    };
    // A code of a process's own means nothing to another one.
    const int own_code = agreed.code;
    agreed.code = platform::class_of(agreed.code);
    if (const int code = tell(&agreed, sizeof agreed); code != MPI_SUCCESS) return code;
    if (agreed.code != MPI_SUCCESS) throw Failure(endpoint.rank() == root ? own_code : agreed.code);
    if (agreed.origin == 0) {
      by_mpi.given.colour = root;
      return come_together(endpoint, call, by_mpi, connect_once, made);
    }
    ranks.resize(static_cast<std::size_t>(agreed.ranks));
    if (const int code = tell(ranks.data(), ranks.size() * sizeof(int)); code != MPI_SUCCESS) return code;
    make_of_two_groups(endpoint, call, agreed.origin, ranks, agreed.first, key_of(agreed, ranks), made);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(endpoint.comm, failure);
  }
}

/// A port of this process's. @throws Failure
std::shared_ptr<rendezvous::Port> opened(const char* name) {
  std::shared_ptr<rendezvous::Port> port = name == nullptr ? nullptr : rendezvous::find(name);
  if (!port)
    throw Failure(endpoints::error_with(
        MPI_ERR_PORT,
        "Raddle: MPI_Comm_accept on endpoints needs a port that this process has opened when it had some"));
  return port;
}

}  // namespace

int Comm_accept(const char* name, MPI_Info info, int root, Endpoint& endpoint, MPI_Comm* made) {
  Connecting by_mpi;
  by_mpi.accepts = true;
  by_mpi.info = info;
  const auto find = [&](const rendezvous::Until& until) {
    const std::shared_ptr<rendezvous::Port> port = opened(name);
    return Found{port->accept(until), port->of_mpi()};
  };
  return connect(endpoint, "MPI_Comm_accept", root, find, by_mpi, made);
}

int Comm_connect(const char* name, MPI_Info info, int root, Endpoint& endpoint, MPI_Comm* made) {
  Connecting by_mpi;
  by_mpi.info = info;
  const auto find = [&](const rendezvous::Until&) {
    std::unique_ptr<rendezvous::Channel> channel = name == nullptr ? nullptr : rendezvous::connect(name);
    if (!channel)
      throw Failure(endpoints::error_with(
          MPI_ERR_PORT, "Raddle: MPI_Comm_connect on endpoints: no process with endpoints has this port open"));
    return Found{std::move(channel), {}};
  };
  return connect(endpoint, "MPI_Comm_connect", root, find, by_mpi, made);
}

int Comm_join(Endpoint& self, int socket, MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  try {
    rendezvous::Channel channel(socket, rendezvous::Channel::Owner::program);
    const rendezvous::Until until = [&](const std::function<bool()>& step) {
      endpoints::progress_until(self, "MPI_Comm_join", step);
    };
    const Party mine = party_of(self, origin_of(self));
    const std::optional<Party> theirs = swap(channel, mine, until);
    if (!theirs)
      throw Failure(endpoints::error_with(MPI_ERR_OTHER,
                                          "Raddle: the other side of MPI_Comm_join has gone, or it is no endpoint"));
    const bool first = goes_first(mine, *theirs);
    const Party& one = first ? mine : *theirs;
    const Party& other = first ? *theirs : mine;
    const Agreed agreed = agree(one, other);
    if (agreed.code != MPI_SUCCESS) throw Failure(agreed.code);
    if (agreed.origin != 0) {
      const std::vector<int> ranks{one.ranks.front(), other.ranks.front()};
      make_of_two_groups(self, "MPI_Comm_join", agreed.origin, ranks, 1, key_of(agreed, ranks), made);
      return MPI_SUCCESS;
    }
    MPI_Comm between = MPI_COMM_NULL;
    {
      const endpoints::AsProcess process;
      endpoints::check(PMPI_Comm_join(socket, &between));
    }
    if (between == MPI_COMM_NULL) return MPI_SUCCESS;  // the MPI could not, which is no error (section 11.10.4)
    endpoints::OwnHandles handle(self.comm, 1);
    if (handle.get().empty()) throw Failure(endpoints::no_communicators_left());
    const endpoints::AsProcess process;
    const int index = self.communicator().members().front().index;
    engines::make_in_turn(engines::engine({}), endpoints::connected(between, first, {{0, index}}), handle.get());
    *made = handle.get().front();
    handle.keep();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(self.comm, failure);
  }
}

}  // namespace raddle::interpose::on_endpoint
