// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators of endpoints: MPI-4.1 section 7.6.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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
#include "interpose/wrapper.hpp"
#include "node/process_watch.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Communicator;
using endpoints::Failure;
using endpoints::raise;

constexpr const char* create = "MPI_Intercomm_create";

// What the leaders tell each other, and each of them its group. Processes of a job have one architecture.

struct Front {
  std::uint64_t origin = 0;         ///< where both groups find their ranks
  std::uint64_t number = 0;         ///< of this leader's call: who has the lesser one leads the first group
  std::int32_t code = MPI_SUCCESS;  ///< the class of what is wrong
  std::int32_t ranks = 0;           ///< of the group, or of the first one
};

/// Of a leader: its group, as ranks of the origin.
struct Told {
  Front front;
  std::vector<int> ranks;
};

/// Apart from those of persistent collectives on neighbours.
int own_tag(int tag) {
  constexpr int first = endpoints::greatest_own_tag - 2 - (1 << 30);
  return first - tag % (1 << 29);
}

std::span<std::byte> bytes_of(Front& front) { return std::as_writable_bytes(std::span(&front, 1)); }

void swap(Endpoint& peer, int other, int tag, std::span<const std::byte> out, std::span<std::byte> in) {
  endpoints::Request& receive = peer.start_receive(in, other, tag);
  endpoints::Layout message;
  endpoints::check(message.describe(out.data(), static_cast<MPI_Count>(out.size()), MPI_BYTE));
  const int sent = peer.send(message, other, tag, endpoints::Mode::standard);
  endpoints::progress_until(peer, create, [&] { return receive.complete(); });
  const int received = receive.result().error;
  receive.retire();
  endpoints::check(sent);
  endpoints::check(received);
}

/// The group of a leader. `front.code` says if it is not there.
Told told_by(const Endpoint& local, const Communicator& origin) {
  static std::atomic<std::uint64_t> calls{0};
  Told told;
  told.front.origin = origin.name();
  told.front.number = node::own_number() + calls.fetch_add(1, std::memory_order_relaxed);
  const endpoints::Ranks known(origin.members());
  for (const endpoints::Member& member : local.communicator().members()) {
    told.ranks.push_back(known.of(member));
    if (told.ranks.back() == endpoints::Ranks::none) told.front.code = MPI_ERR_UNSUPPORTED_OPERATION;
  }
  told.front.ranks = static_cast<std::int32_t>(told.ranks.size());
  return told;
}

/// What both leaders know then: the first group and the second. @param other  the other leader, as a rank of `peer`
Told agree(const Endpoint& local, Endpoint& peer, int other, int tag) {
  Told mine = told_by(local, peer.communicator().origin());
  Told theirs;
  swap(peer, other, own_tag(tag), bytes_of(mine.front), bytes_of(theirs.front));
  theirs.ranks.resize(static_cast<std::size_t>(theirs.front.ranks));
  swap(peer, other, own_tag(tag), std::as_bytes(std::span(mine.ranks)),
       std::as_writable_bytes(std::span(theirs.ranks)));
  const int code = std::max(mine.front.code, theirs.front.code);
  if (theirs.front.number < mine.front.number) std::swap(mine, theirs);
  mine.front.code = code;
  mine.ranks.insert(mine.ranks.end(), theirs.ranks.begin(), theirs.ranks.end());
  if (code != MPI_SUCCESS) return mine;
  std::vector<int> sorted = mine.ranks;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) mine.front.code = MPI_ERR_COMM;
  return mine;
}

/// By the leader. What is wrong with its arguments is wrong for its group.
Told lead(const Endpoint& local, MPI_Comm comm, int other, int tag) {
  Told told;
  Endpoint* const peer = endpoints::find<endpoints::Kind::communicator>(comm);
  if (comm == MPI_COMM_NULL) {
    told.front.code = MPI_ERR_COMM;
  } else if (peer == nullptr) {
    told.front.code = MPI_ERR_UNSUPPORTED_OPERATION;
  } else if (!below(other, peer->peers().size)) {
    told.front.code = MPI_ERR_RANK;
  } else if (!up_to(tag, peer->greatest_tag())) {
    told.front.code = MPI_ERR_TAG;
  } else {
    return agree(local, *peer, other, tag);
  }
  return told;
}

/// @throws Failure
void check_code(int code) {
  if (code == MPI_SUCCESS) return;
  if (code == MPI_ERR_UNSUPPORTED_OPERATION) {
    throw Failure(endpoints::error_with(
        code,
        "Raddle: MPI_Intercomm_create is not supported between endpoints and processes that are none, nor with "
        "endpoints that the peer communicator's MPIX_Comm_create_endpoints has not made"));
  }
  if (code == MPI_ERR_COMM)
    throw Failure(endpoints::error_with(
        code, "Raddle: the groups of MPI_Intercomm_create have ranks in common, or the peer communicator is null"));
  throw Failure(code);
}

}  // namespace

void make_of_two_groups(Endpoint& local, const char* call, std::uint64_t origin_name, const std::vector<int>& ranks,
                        int first_group, const endpoints::CallKey& key, MPI_Comm* made) {
  Communicator* const origin = Communicator::origin_named(origin_name);
  if (origin == nullptr) check_code(MPI_ERR_UNSUPPORTED_OPERATION);
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
  try {
    if (local == nullptr) check_code(MPI_ERR_UNSUPPORTED_OPERATION);  // `found` is the peer's
    if (local->has_two_groups()) return raise(local->comm, MPI_ERR_COMM);
    if (!below(local_leader, local->size())) return raise(local->comm, MPI_ERR_RANK);
    Told told;
    if (local->rank() == local_leader) told = lead(*local, peer, remote_leader, tag);
    std::int32_t ranks = static_cast<std::int32_t>(told.ranks.size());
    const auto tell = [&](void* what, std::size_t bytes) {
      return Bcast(what, static_cast<MPI_Count>(bytes), MPI_BYTE, local_leader, *local);
    };
    if (const int code = tell(&told.front, sizeof told.front); code != MPI_SUCCESS) return code;
    if (const int code = tell(&ranks, sizeof ranks); code != MPI_SUCCESS) return code;
    check_code(told.front.code);
    told.ranks.resize(static_cast<std::size_t>(ranks));
    if (const int code = tell(told.ranks.data(), told.ranks.size() * sizeof(int)); code != MPI_SUCCESS) return code;
    // Apart from what the program may do on the origin with a tag of its own.
    make_of_two_groups(*local, create, told.front.origin, told.ranks, told.front.ranks,
                       endpoints::call_of_some(-2 - tag, told.ranks), made);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(local == nullptr ? found.comm : local->comm, failure);
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
