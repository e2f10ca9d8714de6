// SPDX-License-Identifier: BSD-3-Clause
// What the arguments of collectives mean that move data: MPI-4.1 sections 6.3 to 6.8. And of MPI_Barrier, which has
// none.
#pragma once

#include <mpi.h>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/movement.hpp"
#include "interpose/on_endpoint/forms.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::on_endpoint::described {

using endpoints::collectives::Movement;
using endpoints::collectives::Pieces;
using Moves = Checked<Movement>;

inline Checked<endpoints::collectives::Barrier> Barrier(const Endpoint&, Held*) { return {}; }

/// @returns MPI_SUCCESS or MPI_ERR_ROOT
inline int check_root(const Endpoint& endpoint, int root) {
  return root >= 0 && root < endpoint.size() ? MPI_SUCCESS : MPI_ERR_ROOT;
}

inline MPI_Datatype kept(Held* held, MPI_Datatype type) { return held == nullptr ? type : held->keep(type); }

inline const MPI_Datatype* kept(Held* held, const MPI_Datatype* types, const Endpoint& endpoint) {
  return held == nullptr || types == nullptr ? types : held->keep(types, endpoint.size());
}

inline Numbers kept(Held* held, const Numbers& numbers, const Endpoint& endpoint) {
  return held == nullptr ? numbers : numbers.copied_to(held->room(endpoint.size()), endpoint.size());
}

/// What a rank sends to itself lies where it receives it. @returns MPI_SUCCESS or MPI_ERR_BUFFER
inline int check_same(const Pieces& out, int outgoing, const Pieces& in, int incoming, bool& in_place) {
  if (in_place || !out.complete() || !in.complete() || out.type(outgoing) != in.type(incoming)) return MPI_SUCCESS;
  const MPI_Count count = out.count(outgoing);
  if (count != in.count(incoming) || !same_buffer(out.address(outgoing), in.address(incoming), count))
    return MPI_SUCCESS;
  if (platform::quirks().refuses_same_buffer) return same_buffer_error();
  in_place = true;
  return MPI_SUCCESS;
}

inline Moves Bcast(const Endpoint& endpoint, Held* held, void* buffer, MPI_Count count, MPI_Datatype type, int root) {
  if (const int code = check_root(endpoint, root); code != MPI_SUCCESS) return {code};
  const Pieces message = Pieces::uniform(buffer, count, kept(held, type));
  return {MPI_SUCCESS, {Movement::Kind::bcast, root, message, message, false}};
}

/// `out` is that of each rank, `in` the root's.
template <typename In>
Moves gather_into(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                  int root, In&& in) {
  if (const int code = check_root(endpoint, root); code != MPI_SUCCESS) return {code};
  const bool in_place = endpoint.rank() == root && buffer == MPI_IN_PLACE;
  Moves made{MPI_SUCCESS,
             {Movement::Kind::gather, root, in_place ? Pieces() : Pieces::uniform(buffer, count, kept(held, type)),
              endpoint.rank() == root ? in() : Pieces(), in_place}};
  if (endpoint.rank() == root)
    made.code = check_same(made.arguments.out, 0, made.arguments.in, root, made.arguments.in_place);
  return made;
}

inline Moves Gather(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                    void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  return gather_into(endpoint, held, buffer, count, type, root,
                     [&] { return Pieces::uniform(room, room_count, kept(held, room_type)); });
}

inline Moves Gatherv(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                     void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type, int root) {
  return gather_into(endpoint, held, buffer, count, type, root, [&] {
    return Pieces::varying(room, kept(held, room_counts, endpoint), kept(held, room_places, endpoint),
                           kept(held, room_type));
  });
}

/// `out` is the root's, `in` that of each rank.
template <typename Out>
Moves scatter_from(const Endpoint& endpoint, Held* held, Out&& out, void* room, MPI_Count room_count,
                   MPI_Datatype room_type, int root) {
  if (const int code = check_root(endpoint, root); code != MPI_SUCCESS) return {code};
  const bool in_place = endpoint.rank() == root && room == MPI_IN_PLACE;
  const Pieces in =
      in_place ? Pieces::uniform(nullptr, 0, MPI_BYTE) : Pieces::uniform(room, room_count, kept(held, room_type));
  Moves made{MPI_SUCCESS, {Movement::Kind::scatter, root, endpoint.rank() == root ? out() : Pieces(), in, in_place}};
  if (endpoint.rank() == root) made.code = check_same(made.arguments.out, root, in, 0, made.arguments.in_place);
  return made;
}

inline Moves Scatter(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                     void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  return scatter_from(
      endpoint, held, [&] { return Pieces::uniform(buffer, count, kept(held, type)); }, room, room_count, room_type,
      root);
}

inline Moves Scatterv(const Endpoint& endpoint, Held* held, const void* buffer, Numbers counts, Numbers places,
                      MPI_Datatype type, void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  return scatter_from(
      endpoint, held,
      [&] {
        return Pieces::varying(buffer, kept(held, counts, endpoint), kept(held, places, endpoint), kept(held, type));
      },
      room, room_count, room_type, root);
}

inline Moves allgather_into(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count,
                            MPI_Datatype type, const Pieces& in) {
  const bool in_place = buffer == MPI_IN_PLACE;
  const int me = endpoint.rank();
  if (in_place) {
    if (const int code = in.check(endpoint.size()); code != MPI_SUCCESS) return {code};
  }
  const Pieces out = in_place ? Pieces::uniform(in.address(me), in.count(me), in.type(me))
                              : Pieces::uniform(buffer, count, kept(held, type));
  Moves made{MPI_SUCCESS, {Movement::Kind::allgather, 0, out, in, in_place}};
  made.code = check_same(out, 0, in, me, made.arguments.in_place);
  return made;
}

inline Moves Allgather(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                       void* room, MPI_Count room_count, MPI_Datatype room_type) {
  return allgather_into(endpoint, held, buffer, count, type, Pieces::uniform(room, room_count, kept(held, room_type)));
}

inline Moves Allgatherv(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                        void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type) {
  return allgather_into(endpoint, held, buffer, count, type,
                        Pieces::varying(room, kept(held, room_counts, endpoint), kept(held, room_places, endpoint),
                                        kept(held, room_type)));
}

/// Either all pieces lie where those of the other kind do, or none.
/// @param same  whether one buffer was given, and the same arrays of counts and types
inline Moves alltoall_of(const Pieces& out, const Pieces& in, bool in_place, bool same = false) {
  Moves made{MPI_SUCCESS, {Movement::Kind::alltoall, 0, in_place ? in : out, in, in_place}};
  if (same && !in_place && platform::quirks().refuses_same_buffer) return {same_buffer_error()};
  made.code = check_same(out, 0, in, 0, made.arguments.in_place);
  if (made.arguments.in_place) made.arguments.out = in;
  return made;
}

inline Moves Alltoall(const Endpoint&, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type, void* room,
                      MPI_Count room_count, MPI_Datatype room_type) {
  const Pieces in = Pieces::uniform(room, room_count, kept(held, room_type));
  const bool in_place = buffer == MPI_IN_PLACE;
  return alltoall_of(in_place ? in : Pieces::uniform(buffer, count, kept(held, type)), in, in_place);
}

inline Moves Alltoallv(const Endpoint& endpoint, Held* held, const void* buffer, Numbers counts, Numbers places,
                       MPI_Datatype type, void* room, Numbers room_counts, Numbers room_places,
                       MPI_Datatype room_type) {
  const Pieces in = Pieces::varying(room, kept(held, room_counts, endpoint), kept(held, room_places, endpoint),
                                    kept(held, room_type));
  const bool in_place = buffer == MPI_IN_PLACE;
  return alltoall_of(
      in_place ? in
               : Pieces::varying(buffer, kept(held, counts, endpoint), kept(held, places, endpoint), kept(held, type)),
      in, in_place, buffer == room && buffer != nullptr && counts.same_array(room_counts) && type == room_type);
}

inline Moves Alltoallw(const Endpoint& endpoint, Held* held, const void* buffer, Numbers counts, Numbers places,
                       const MPI_Datatype* types, void* room, Numbers room_counts, Numbers room_places,
                       const MPI_Datatype* room_types) {
  const Pieces in = Pieces::free(room, kept(held, room_counts, endpoint), kept(held, room_places, endpoint),
                                 kept(held, room_types, endpoint));
  const bool in_place = buffer == MPI_IN_PLACE;
  return alltoall_of(in_place ? in
                              : Pieces::free(buffer, kept(held, counts, endpoint), kept(held, places, endpoint),
                                             kept(held, types, endpoint)),
                     in, in_place,
                     buffer == room && buffer != nullptr && counts.same_array(room_counts) && types == room_types);
}

}  // namespace raddle::interpose::on_endpoint::described
