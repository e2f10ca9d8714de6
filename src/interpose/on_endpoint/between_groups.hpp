// SPDX-License-Identifier: BSD-3-Clause
// What the arguments of collectives mean on an intercommunicator (MPI-4.1 sections 6.3 to 6.10): pieces go from ranks
// of one group to ranks of the other one, and no rank sends its own group anything.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "endpoints/collectives/between_groups.hpp"
#include "endpoints/collectives/movement.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/forms.hpp"
#include "interpose/on_endpoint/movement.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::on_endpoint::between_groups {

using described::kept;
using described::Moves;
using endpoints::collectives::Call;
using endpoints::collectives::Movement;
using endpoints::collectives::Pieces;
using endpoints::collectives::ReductionBetween;

// The pieces that a rank has for those of the other group, as pieces for all ranks.

/// @param which  a rank of the other group; MPI_ANY_SOURCE: all of them
/// @param count, place  of the piece of such a rank, the place in extents of the datatype
template <typename Count, typename Place>
Pieces pieces(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Datatype type, int which, Count&& count,
              Place&& place) {
  std::int64_t* const counts = held.room(endpoint.size());
  std::int64_t* const places = held.room(endpoint.size());
  for (int rank = 0; rank < endpoint.size(); ++rank) {
    const int peer = rank - endpoint.peers().first;
    const bool has = below(peer, endpoint.peers().size) && (which == MPI_ANY_SOURCE || which == peer);
    counts[rank] = has ? static_cast<std::int64_t>(count(peer)) : 0;
    places[rank] = has ? static_cast<std::int64_t>(place(peer)) : 0;
  }
  return Pieces::varying(buffer, counts, places, kept(&held, type));
}

inline Pieces nothing(const Endpoint& endpoint, Held& held) {
  const auto none = [](int) { return 0; };
  return pieces(endpoint, held, nullptr, MPI_BYTE, MPI_ANY_SOURCE, none, none);
}

/// One piece, for whom or from whom it is.
inline Pieces same(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                   int which = MPI_ANY_SOURCE) {
  return pieces(endpoint, held, buffer, type, which, [=](int) { return count; }, [](int) { return 0; });
}

/// One behind the other.
inline Pieces uniform(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type) {
  return pieces(
      endpoint, held, buffer, type, MPI_ANY_SOURCE, [=](int) { return count; }, [=](int peer) { return count * peer; });
}

inline Pieces varying(const Endpoint& endpoint, Held& held, const void* buffer, const Numbers& counts,
                      const Numbers& places, MPI_Datatype type) {
  return pieces(
      endpoint, held, buffer, type, MPI_ANY_SOURCE, [&](int peer) { return counts[peer]; },
      [&](int peer) { return places[peer]; });
}

/// With a datatype for each, places in bytes.
inline Pieces free(const Endpoint& endpoint, Held& held, const void* buffer, const Numbers& counts,
                   const Numbers& places, const MPI_Datatype* types) {
  const auto size = static_cast<std::size_t>(endpoint.size());
  std::int64_t* const all_counts = held.room(endpoint.size());
  std::int64_t* const all_places = held.room(endpoint.size());
  std::vector<MPI_Datatype> all_types(size, MPI_BYTE);
  for (std::size_t rank = 0; rank < size; ++rank) all_counts[rank] = all_places[rank] = 0;
  for (int peer = 0; peer < endpoint.peers().size; ++peer) {
    const auto rank = static_cast<std::size_t>(endpoint.peers().first + peer);
    all_counts[rank] = counts[peer];
    all_places[rank] = places[peer];
    all_types[rank] = types[peer];
  }
  return Pieces::free(buffer, all_counts, all_places, held.keep(all_types.data(), endpoint.size()));
}

/// MPI_IN_PLACE has no meaning here.
inline Moves moves(Call::Kind called, const Pieces& out, const Pieces& in) {
  if (out.in_place() || in.in_place()) return {platform::quirks().arg_for_in_place ? MPI_ERR_ARG : MPI_ERR_BUFFER};
  return {MPI_SUCCESS, {Movement::Kind::alltoall, 0, out, in, false, called}};
}

/// What a root can be: the one, of its group but not the one, or a rank of the other group.
inline int check_root(const Endpoint& endpoint, int root) {
  return root == MPI_ROOT || root == MPI_PROC_NULL || below(root, endpoint.peers().size) ? MPI_SUCCESS : MPI_ERR_ROOT;
}

inline bool are_there(const Numbers& counts, const Numbers& places) { return counts.are_there() && places.are_there(); }

/// From the root to each of the other group. @param out  makes the pieces of the root, @param in  that of a receiver
template <typename Out, typename In>
Moves from_root(const Endpoint& endpoint, Held& held, Call::Kind called, int root, Out&& out, In&& in) {
  if (const int code = check_root(endpoint, root); code != MPI_SUCCESS) return {code};
  if (root == MPI_ROOT) return moves(called, out(), nothing(endpoint, held));
  if (root == MPI_PROC_NULL) return moves(called, nothing(endpoint, held), nothing(endpoint, held));
  return moves(called, nothing(endpoint, held), in());
}

/// The other way around.
template <typename Out, typename In>
Moves to_root(const Endpoint& endpoint, Held& held, Call::Kind called, int root, Out&& out, In&& in) {
  if (const int code = check_root(endpoint, root); code != MPI_SUCCESS) return {code};
  if (root == MPI_ROOT) return moves(called, nothing(endpoint, held), in());
  if (root == MPI_PROC_NULL) return moves(called, nothing(endpoint, held), nothing(endpoint, held));
  return moves(called, out(), nothing(endpoint, held));
}

inline Checked<endpoints::collectives::Barrier> Barrier(const Endpoint&, Held&) { return {}; }

inline Moves Bcast(const Endpoint& endpoint, Held& held, void* buffer, MPI_Count count, MPI_Datatype type, int root) {
  return from_root(
      endpoint, held, Call::Kind::bcast, root, [&] { return same(endpoint, held, buffer, count, type); },
      [&] { return same(endpoint, held, buffer, count, type, root); });
}

inline Moves Gather(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                    void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  return to_root(
      endpoint, held, Call::Kind::gather, root, [&] { return same(endpoint, held, buffer, count, type, root); },
      [&] { return uniform(endpoint, held, room, room_count, room_type); });
}

inline Moves Gatherv(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                     void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type, int root) {
  if (root == MPI_ROOT && !are_there(room_counts, room_places)) return {MPI_ERR_ARG};
  return to_root(
      endpoint, held, Call::Kind::gather, root, [&] { return same(endpoint, held, buffer, count, type, root); },
      [&] { return varying(endpoint, held, room, room_counts, room_places, room_type); });
}

inline Moves Scatter(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                     void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  return from_root(
      endpoint, held, Call::Kind::scatter, root, [&] { return uniform(endpoint, held, buffer, count, type); },
      [&] { return same(endpoint, held, room, room_count, room_type, root); });
}

inline Moves Scatterv(const Endpoint& endpoint, Held& held, const void* buffer, Numbers counts, Numbers places,
                      MPI_Datatype type, void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  if (root == MPI_ROOT && !are_there(counts, places)) return {MPI_ERR_ARG};
  return from_root(
      endpoint, held, Call::Kind::scatter, root, [&] { return varying(endpoint, held, buffer, counts, places, type); },
      [&] { return same(endpoint, held, room, room_count, room_type, root); });
}

inline Moves Allgather(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                       void* room, MPI_Count room_count, MPI_Datatype room_type) {
  return moves(Call::Kind::allgather, same(endpoint, held, buffer, count, type),
               uniform(endpoint, held, room, room_count, room_type));
}

inline Moves Allgatherv(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                        void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type) {
  if (!are_there(room_counts, room_places)) return {MPI_ERR_ARG};
  return moves(Call::Kind::allgather, same(endpoint, held, buffer, count, type),
               varying(endpoint, held, room, room_counts, room_places, room_type));
}

inline Moves Alltoall(const Endpoint& endpoint, Held& held, const void* buffer, MPI_Count count, MPI_Datatype type,
                      void* room, MPI_Count room_count, MPI_Datatype room_type) {
  return moves(Call::Kind::alltoall, uniform(endpoint, held, buffer, count, type),
               uniform(endpoint, held, room, room_count, room_type));
}

inline Moves Alltoallv(const Endpoint& endpoint, Held& held, const void* buffer, Numbers counts, Numbers places,
                       MPI_Datatype type, void* room, Numbers room_counts, Numbers room_places,
                       MPI_Datatype room_type) {
  if (!are_there(counts, places) || !are_there(room_counts, room_places)) return {MPI_ERR_ARG};
  return moves(Call::Kind::alltoall, varying(endpoint, held, buffer, counts, places, type),
               varying(endpoint, held, room, room_counts, room_places, room_type));
}

inline Moves Alltoallw(const Endpoint& endpoint, Held& held, const void* buffer, Numbers counts, Numbers places,
                       const MPI_Datatype* types, void* room, Numbers room_counts, Numbers room_places,
                       const MPI_Datatype* room_types) {
  if (!are_there(counts, places) || !are_there(room_counts, room_places) || types == nullptr || room_types == nullptr)
    return {MPI_ERR_ARG};
  return moves(Call::Kind::alltoall, free(endpoint, held, buffer, counts, places, types),
               free(endpoint, held, room, room_counts, room_places, room_types));
}

// Those that combine.

using Reduces = Checked<ReductionBetween>;

inline Reduces reduces(Endpoint& endpoint, Held& held, const ReductionBetween::Arguments& arguments) {
  if (arguments.op == MPI_OP_NULL) return {MPI_ERR_OP};
  if (arguments.type == MPI_DATATYPE_NULL) return {MPI_ERR_TYPE};
  if (arguments.count < 0) return {MPI_ERR_COUNT};
  if (const int code = endpoints::collectives::check_operator(arguments.op, arguments.type); code != MPI_SUCCESS)
    return {code};
  const bool rooted = arguments.called == Call::Kind::reduce;
  const bool brings = !rooted || arguments.root >= 0;
  const bool gets = !rooted || arguments.root == MPI_ROOT;
  if ((brings && arguments.in == MPI_IN_PLACE) || (gets && arguments.out == MPI_IN_PLACE)) return {MPI_ERR_BUFFER};
  if (gets && brings && same_buffer(arguments.in, arguments.out, arguments.count) &&
      platform::quirks().refuses_same_buffer)
    return {same_buffer_error()};
  Reduces made{MPI_SUCCESS, arguments};
  made.arguments.type = held.keep(arguments.type);
  made.arguments.op = held.keep_op(arguments.op);
  made.arguments.calls = &endpoint.calls_of_side();
  return made;
}

inline Reduces Reduce(Endpoint& endpoint, Held& held, const void* buffer, void* room, MPI_Count count,
                      MPI_Datatype type, MPI_Op op, int root) {
  if (const int code = check_root(endpoint, root); code != MPI_SUCCESS) return {code};
  if (root == MPI_PROC_NULL)  // nothing is said of the other arguments
    return {MPI_SUCCESS, {Call::Kind::reduce, root, nullptr, nullptr, 0, MPI_BYTE, MPI_BOR, 0, 0, nullptr}};
  return reduces(endpoint, held, {Call::Kind::reduce, root, buffer, room, count, type, op, 0, 0, nullptr});
}

inline Reduces Allreduce(Endpoint& endpoint, Held& held, const void* buffer, void* room, MPI_Count count,
                         MPI_Datatype type, MPI_Op op) {
  return reduces(endpoint, held, {Call::Kind::allreduce, 0, buffer, room, count, type, op, 0, 0, nullptr});
}

inline Reduces Reduce_scatter(Endpoint& endpoint, Held& held, const void* buffer, void* room, Numbers counts,
                              MPI_Datatype type, MPI_Op op) {
  if (!counts.are_there()) return {MPI_ERR_ARG};
  const int me = endpoint.rank_in_group();
  MPI_Count all = 0;
  MPI_Count before = 0;
  for (int rank = 0; rank < endpoint.group().size; ++rank) {
    if (counts[rank] < 0) return {MPI_ERR_COUNT};
    if (rank == me) before = all;
    all += counts[rank];
  }
  return reduces(endpoint, held,
                 {Call::Kind::reduce_scatter, 0, buffer, room, all, type, op, before, counts[me], nullptr});
}

inline Reduces Reduce_scatter_block(Endpoint& endpoint, Held& held, const void* buffer, void* room, MPI_Count count,
                                    MPI_Datatype type, MPI_Op op) {
  return Reduce_scatter(endpoint, held, buffer, room, Numbers::alike(count), type, op);
}

}  // namespace raddle::interpose::on_endpoint::between_groups
