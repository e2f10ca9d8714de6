// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators of endpoints: MPI-4.1 section 7.6.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/mover.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/derive.hpp"
#include "interpose/on_endpoint/meet.hpp"
#include "interpose/on_endpoint/party.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Communicator;
using endpoints::Failure;
using endpoints::raise;
using platform::must;

constexpr const char* create = "MPI_Intercomm_create";

/// Of what the MPI sends to make an intercommunicator, where the peer is of endpoints: their processes send no message
/// of that tag. Such calls take turns.
constexpr int tag_of_mpi = 2;

/// Apart from those of persistent collectives on neighbours.
int own_tag(int tag) {
  constexpr int first = endpoints::greatest_own_tag - 2 - (1 << 30);
  return first - tag % (1 << 29);
}

/// Each leader sends the other one bytes of its own.
using Swap = std::function<void(std::span<const std::byte> out, std::span<std::byte> in)>;

/// On endpoints. @param other  a rank of `peer`
Swap by_endpoints(Endpoint& peer, int other, int tag) {
  return [&peer, other, tag](std::span<const std::byte> out, std::span<std::byte> in) {
    endpoints::Request& receive = peer.start_receive(in, other, own_tag(tag));
    endpoints::Layout message;
    endpoints::check(message.describe(out.data(), static_cast<MPI_Count>(out.size()), MPI_BYTE));
    const int sent = peer.send(message, other, own_tag(tag), endpoints::Mode::standard);
    endpoints::progress_until(peer, create, [&] { return receive.complete(); });
    const int received = receive.result().error;
    receive.retire();
    endpoints::check(sent);
    endpoints::check(received);
  };
}

/// On a communicator of processes, by the tag that the program has given for it.
Swap by_processes(Endpoint& local, MPI_Comm peer, int other, int tag) {
  return [&local, peer, other, tag](std::span<const std::byte> out, std::span<std::byte> in) {
    std::array<MPI_Request, 2> both{};
    {
      const endpoints::AsProcess process;
      endpoints::check(PMPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_BYTE, other, tag, peer, both.data()));
      endpoints::check(
          PMPI_Isend(out.data(), static_cast<int>(out.size()), MPI_BYTE, other, tag, peer, both.data() + 1));
    }
    Patience patience(
        "the remote leader of MPI_Intercomm_create has not answered the leader of a group of endpoints for " +
        std::to_string(Patience::limit) +
        " s. Its local communicator has to be one of endpoints, too: MPIX_Comm_create_endpoints makes one "
        "of processes, with one endpoint each.");
    endpoints::progress_until(local, create, [&] {
      const endpoints::AsProcess process;
      int done = 0;
      endpoints::check(PMPI_Testall(2, both.data(), &done, MPI_STATUSES_IGNORE));
      if (done == 0) patience.wait();
      return done != 0;
    });
  };
}

/// @throws Failure
Party swap(const Swap& both, const Party& mine) {
  const std::vector<std::byte> out = packed(mine);
  const std::uint64_t size = out.size();
  std::uint64_t come = 0;
  both(std::as_bytes(std::span(&size, 1)), std::as_writable_bytes(std::span(&come, 1)));
  std::vector<std::byte> in(static_cast<std::size_t>(come));
  both(out, in);
  std::optional<Party> theirs = unpacked(in);
  if (!theirs) throw Failure(MPI_ERR_OTHER);
  return *std::move(theirs);
}

/// What a leader tells its group, and then the ranks of both groups.
struct Lead {
  Agreed agreed;
  std::int32_t first = 0;  ///< its group is the first one
};

/// A rank that the MPI connects: the leader says with whom.
struct Connecting : Newcomer {
  bool first = false;
  MPI_Comm peer = MPI_COMM_NULL;  ///< of processes
  int other = 0;                  ///< there
  int tag = 0;
  Swap swap;  ///< with the other leader
};

/// What is wrong with the other leader and the tag: an MPI error code.
int wrong_in(MPI_Comm peer, int other, int tag) {
  const endpoints::AsProcess process;
  int inter = 0;
  int size = 0;
  int self = MPI_PROC_NULL;
  int flag = 0;
  int* greatest = nullptr;
  endpoints::check(PMPI_Comm_test_inter(peer, &inter));
  endpoints::check(inter != 0 ? PMPI_Comm_remote_size(peer, &size) : PMPI_Comm_size(peer, &size));
  endpoints::check(PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&greatest), &flag));
  if (inter == 0) endpoints::check(PMPI_Comm_rank(peer, &self));
  if (!below(other, size)) return MPI_ERR_RANK;
  if (other == self)
    return endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                 "Raddle: MPI_Intercomm_create is not supported of two groups of endpoints whose "
                                 "leaders are of one process, unless the peer communicator is of endpoints as well");
  return flag != 0 && !up_to(tag, *greatest) ? MPI_ERR_TAG : MPI_SUCCESS;
}
int wrong_in(const Endpoint& peer, int other, int tag) {
  if (!below(other, peer.peers().size)) return MPI_ERR_RANK;
  return up_to(tag, peer.greatest_tag()) ? MPI_SUCCESS : MPI_ERR_TAG;
}

/// By the leader. What is wrong with its arguments is wrong for its group.
/// @param ranks  of both groups, if they have an origin in common
Lead lead(Endpoint& local, MPI_Comm comm, int other, int tag, Connecting& by_mpi, std::vector<int>& ranks) {
  if (comm == MPI_COMM_NULL)
    throw Failure(endpoints::error_with(MPI_ERR_COMM, "Raddle: the peer communicator of MPI_Intercomm_create is null"));
  Endpoint* const peer = endpoints::find<endpoints::Kind::communicator>(comm);
  endpoints::check(peer == nullptr ? wrong_in(comm, other, tag) : wrong_in(*peer, other, tag));
  const Communicator& origin = peer == nullptr ? origin_of(local) : peer->communicator().origin();
  const Party mine = party_of(local, origin);
  by_mpi.swap = peer == nullptr ? by_processes(local, comm, other, tag) : by_endpoints(*peer, other, tag);
  const Party theirs = swap(by_mpi.swap, mine);
  const bool first = goes_first(mine, theirs);
  const Party& one = first ? mine : theirs;
  const Party& two = first ? theirs : mine;
  ranks = ranks_of_both(one, two);
  by_mpi.peer = comm;
  by_mpi.other = other;
  by_mpi.tag = tag;
  if (peer != nullptr) {
    const Communicator& among = peer->communicator();
    by_mpi.tag = tag_of_mpi;
    by_mpi.peer = among.processes();
    by_mpi.other = peer->has_two_groups() ? -1 : among.places()[static_cast<std::size_t>(other)].process;
  }
  return {agree(one, two), first ? 1 : 0};
}

/// Whether the processes of both groups have what those of this one have or have not.
/// @param leader  in the root's process
bool all_of_both(MPI_Comm processes, int root, const Connecting* leader, bool mine) {
  int has = mine ? 1 : 0;
  must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MIN, processes));
  if (leader != nullptr) {
    int theirs = 0;
    leader->swap(std::as_bytes(std::span(&has, 1)), std::as_writable_bytes(std::span(&theirs, 1)));
    has = std::min(has, theirs);
  }
  must("MPI_Bcast", PMPI_Bcast(&has, 1, MPI_INT, root, processes));
  return has != 0;
}

/// For endpoints that have no origin in common. In the turn of both groups: with Open MPI 5.0 and Intel MPI 2021 two
/// threads cannot make intercommunicators at the same time. @throws Failure, on all processes
void connect_once(Endpoint& endpoint, const endpoints::Agreement& agreement) {
  const bool first = static_cast<Connecting*>(agreement.newcomers().begin()->second)->first;
  for_all(agreement, [&] {
    meet(endpoint, agreement, first, [&](MPI_Comm processes, int root, Newcomer* of_root) {
      const auto* const leader = static_cast<Connecting*>(of_root);
      all_of_both(processes, root, leader, true);  // nobody takes a turn while the others may need it to come here
      Connection made{.turn = std::make_unique<endpoints::CommonTurn>(
                          [&](bool mine) { return all_of_both(processes, root, leader, mine); })};
      // Who does not lead says nothing of the peer (section 7.6.2).
      endpoints::check(PMPI_Intercomm_create(processes, root, leader == nullptr ? MPI_COMM_NULL : leader->peer,
                                             leader == nullptr ? 0 : leader->other, leader == nullptr ? 0 : leader->tag,
                                             &made.between));
      // With Intel MPI 2021 what comes to a process that is still in that call may be lost.
      all_of_both(processes, root, leader, true);
      return made;
    });
  });
}

}  // namespace

void make_of_two_groups(Endpoint& local, const char* call, std::uint64_t origin_name, const std::vector<int>& ranks,
                        int first_group, const endpoints::CallKey& key, MPI_Comm* made) {
  Communicator* const origin = Communicator::origin_named(origin_name);
  if (origin == nullptr)
    throw Failure(endpoints::error_with(
        MPI_ERR_UNSUPPORTED_OPERATION,
        std::string("Raddle: the communicator that the groups of ") + call + " descend from is not there"));
  const endpoints::Ranks known(origin->members());
  const int rank = known.of(local.communicator().members()[static_cast<std::size_t>(local.rank())]);
  Endpoint& there = origin->endpoint(origin->places()[static_cast<std::size_t>(rank)].index);
  Newcomer newcomer{.births = endpoints::of_two_groups, .chosen = ranks, .first_group = first_group};
  newcomer.session_buffer = local.session_buffer();
  newcomer.given.digest = endpoints::digest_of(ranks);
  bring_handle(newcomer, local);
  endpoints::derive(there, call, key, newcomer);
  if (!newcomer.member && newcomer.handle != MPI_COMM_NULL) endpoints::free_own_handle(newcomer.handle);
  *made = newcomer.handle;
  if (newcomer.code != MPI_SUCCESS) throw Failure(newcomer.code, newcomer.raised);
}

int Intercomm_create(Endpoint& found, MPI_Comm local_comm, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                     MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  Endpoint* const local = endpoints::find<endpoints::Kind::communicator>(local_comm);
  if (local == nullptr)  // `found` is the peer's
    return raise(found.comm, endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                                   "Raddle: MPI_Intercomm_create is not supported of processes that "
                                                   "are no endpoints where the peer communicator is of endpoints"));
  if (local->has_two_groups()) return raise(local->comm, MPI_ERR_COMM);
  if (!below(local_leader, local->size())) return raise(local->comm, MPI_ERR_RANK);
  try {
    Connecting by_mpi;
    std::vector<int> ranks;
    Lead told;
    int own_code = MPI_SUCCESS;
    if (local->rank() == local_leader) {
      try {
        told = lead(*local, peer, remote_leader, tag, by_mpi, ranks);
      } catch (const Failure& failure) {
        told.agreed.code = failure.code;
      }
      own_code = told.agreed.code;
      told.agreed.code = platform::class_of(own_code);  // a code of a process's own means nothing to another one
    }
    const auto tell = [&](void* what, std::size_t bytes) {
      return Bcast(what, static_cast<MPI_Count>(bytes), MPI_BYTE, local_leader, *local);
    };
    if (const int code = tell(&told, sizeof told); code != MPI_SUCCESS) return code;
    if (told.agreed.code != MPI_SUCCESS) throw Failure(own_code != MPI_SUCCESS ? own_code : told.agreed.code);
    if (told.agreed.origin == 0) {
      by_mpi.given.colour = local_leader;
      by_mpi.first = told.first != 0;
      return come_together(*local, create, by_mpi, connect_once, made);
    }
    ranks.resize(static_cast<std::size_t>(told.agreed.ranks));
    if (const int code = tell(ranks.data(), ranks.size() * sizeof(int)); code != MPI_SUCCESS) return code;
    make_of_two_groups(*local, create, told.agreed.origin, ranks, told.agreed.first, key_of(told.agreed, ranks), made);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(local->comm, failure);
  }
}

int Intercomm_merge(Endpoint& endpoint, int high, MPI_Comm* made) {
  *made = MPI_COMM_NULL;
  if (!endpoint.has_two_groups()) return raise(endpoint.comm, MPI_ERR_COMM);
  Newcomer newcomer{.births = endpoints::merged};
  newcomer.given.colour = high != 0 ? 1 : 0;
  bring_handle(newcomer, endpoint);
  return derive(endpoint, "MPI_Intercomm_merge", newcomer, made);
}

int Comm_remote_group(const Endpoint& endpoint, MPI_Group* group) {
  if (!endpoint.has_two_groups()) return raise(endpoint.comm, MPI_ERR_COMM);
  try {
    *group = group_of(endpoint, Side::remote);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(endpoint.comm, failure.code);
  }
}

int Comm_remote_size(const Endpoint& endpoint, int* size) {
  if (!endpoint.has_two_groups()) return raise(endpoint.comm, MPI_ERR_COMM);
  *size = endpoint.peers().size;
  return MPI_SUCCESS;
}

int Comm_test_inter(const Endpoint& endpoint, int* flag) {
  *flag = endpoint.has_two_groups() ? 1 : 0;
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
