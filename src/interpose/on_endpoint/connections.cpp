// SPDX-License-Identifier: BSD-3-Clause
// Endpoints that connect: MPI-4.1 sections 11.9 and 11.10. The roots find each other by a socket (rendezvous.hpp) and
// tell who they are. Endpoints of one job have an origin in common: what they get is made there. Others are connected
// by the MPI, process by process.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
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
#include "interpose/rendezvous.hpp"
#include "interpose/wrapper.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Communicator;
using endpoints::Failure;
using endpoints::raise;
using platform::must;

/// What a root tells of its group.
struct Party {
  std::uint64_t origin = 0;              ///< the name of what its ranks descend from
  std::vector<int> ranks;                ///< there
  std::vector<char> port;                ///< the MPI's, if this is who accepts and it has one
  std::vector<std::uint64_t> processes;  ///< their numbers, which no two of the world have in common
};

/// Of a call that makes what is connected. No tag of the program's is so odd.
endpoints::CallKey key_of(const std::vector<int>& ranks) { return endpoints::call_of_some("\1connected\1", ranks); }

/// What the roots know then, and tell their groups.
struct Agreed {
  std::uint64_t origin = 0;  ///< 0: they have none in common, and the MPI connects them
  std::int32_t code = MPI_SUCCESS;
  std::int32_t ranks = 0;  ///< of both groups
  std::int32_t first = 0;  ///< of the first one
};

/// The origin that has most of a rank's: its world, if it has one.
const Communicator& origin_of(const Endpoint& endpoint) {
  const endpoints::Rank* const rank = endpoints::adopted;
  return rank != nullptr && rank->world != nullptr ? rank->world->communicator().origin()
                                                   : endpoint.communicator().origin();
}

/// @returns a group of no origin if its ranks are not all of one
Party party_of(const Endpoint& endpoint) {
  const Communicator& own = endpoint.communicator();
  const Communicator& origin = origin_of(endpoint);
  Party told{.origin = origin.name(), .ranks = {}, .processes = {}};
  const endpoints::Ranks known(origin.members());
  for (const endpoints::Member& member : own.members()) {
    told.ranks.push_back(known.of(member));
    if (told.ranks.back() == endpoints::Ranks::none) told.origin = 0;
  }
  for (int process = 0; process < own.process_count(); ++process) told.processes.push_back(own.seniority(process));
  return told;
}

template <typename Number>
void put(std::vector<std::byte>& bytes, const std::vector<Number>& numbers) {
  const std::uint64_t count = numbers.size();
  const auto add = [&](const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  };
  add(&count, sizeof count);
  add(numbers.data(), count * sizeof(Number));
}

/// @returns whether it was there
template <typename Number>
bool take(const std::vector<std::byte>& bytes, std::size_t& at, std::vector<Number>& numbers) {
  std::uint64_t count = 0;
  if (bytes.size() - at < sizeof count) return false;
  std::memcpy(&count, bytes.data() + at, sizeof count);
  at += sizeof count;
  if ((bytes.size() - at) / sizeof(Number) < count) return false;
  numbers.resize(count);
  if (count != 0) std::memcpy(numbers.data(), bytes.data() + at, count * sizeof(Number));
  at += count * sizeof(Number);
  return true;
}

std::optional<Party> swap(rendezvous::Channel& channel, const Party& mine, const rendezvous::Until& until) {
  std::vector<std::byte> out;
  put(out, std::vector{mine.origin});
  put(out, mine.ranks);
  put(out, mine.port);
  put(out, mine.processes);
  const std::optional<std::vector<std::byte>> in = channel.exchange(out, until);
  Party theirs;
  std::vector<std::uint64_t> origin;
  std::size_t at = 0;
  if (!in || !take(*in, at, origin) || origin.size() != 1 || !take(*in, at, theirs.ranks) ||
      !take(*in, at, theirs.port) || !take(*in, at, theirs.processes))
    return std::nullopt;
  theirs.origin = origin.front();
  return theirs;
}

bool have_one_in_common(auto one, auto other) {
  std::ranges::sort(one);
  std::ranges::sort(other);
  decltype(one) both;
  std::ranges::set_intersection(one, other, std::back_inserter(both));
  return !both.empty();
}

/// Of two groups, the first of which is that of the root which has accepted.
Agreed agree(const Party& first, const Party& second) {
  Agreed agreed{.ranks = static_cast<std::int32_t>(first.ranks.size() + second.ranks.size()),
                .first = static_cast<std::int32_t>(first.ranks.size())};
  // An origin of one process has a name that other processes give to theirs, too.
  const bool of_one_job =
      Communicator::is_of_one_process(first.origin) ? first.processes == second.processes : first.origin != 0;
  if (of_one_job && first.origin == second.origin) {
    agreed.origin = first.origin;
    if (have_one_in_common(first.ranks, second.ranks))
      agreed.code =
          endpoints::error_with(MPI_ERR_COMM, "Raddle: the groups that are to be connected have ranks in common");
  } else if (have_one_in_common(first.processes, second.processes)) {
    agreed.code = endpoints::error_with(
        MPI_ERR_UNSUPPORTED_OPERATION,
        "Raddle: endpoints of one process that different calls of MPIX_Comm_create_endpoints have made cannot be "
        "connected");
  }
  return agreed;
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
    Party mine = party_of(endpoint);
    mine.port.assign(found.port.begin(), found.port.end());
    const std::optional<Party> theirs = swap(*found.channel, mine, until);
    if (!theirs)
      throw Failure(endpoints::error_with(
          MPI_ERR_OTHER, std::string("Raddle: the other side of ") + call + " has gone, or it is none of endpoints"));
    const Party& one = by_mpi.accepts ? mine : *theirs;
    const Party& other = by_mpi.accepts ? *theirs : mine;
    ranks = one.ranks;
    ranks.insert(ranks.end(), other.ranks.begin(), other.ranks.end());
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
      return between;
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
    make_of_two_groups(endpoint, call, agreed.origin, ranks, agreed.first, key_of(ranks), made);
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
    const Party mine = party_of(self);
    const std::optional<Party> theirs = swap(channel, mine, until);
    if (!theirs)
      throw Failure(endpoints::error_with(MPI_ERR_OTHER,
                                          "Raddle: the other side of MPI_Comm_join has gone, or it is no endpoint"));
    const bool first =
        mine.processes != theirs->processes ? mine.processes < theirs->processes : mine.ranks < theirs->ranks;
    const Party& one = first ? mine : *theirs;
    const Party& other = first ? *theirs : mine;
    const Agreed agreed = agree(one, other);
    if (agreed.code != MPI_SUCCESS) throw Failure(agreed.code);
    if (agreed.origin != 0) {
      const std::vector<int> ranks{one.ranks.front(), other.ranks.front()};
      make_of_two_groups(self, "MPI_Comm_join", agreed.origin, ranks, 1, key_of(ranks), made);
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
    engines::engine({}).make(endpoints::connected(between, first, {{0, index}}), handle.get());
    *made = handle.get().front();
    handle.keep();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(self.comm, failure);
  }
}

}  // namespace raddle::interpose::on_endpoint
