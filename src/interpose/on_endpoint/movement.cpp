// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/movement.hpp"

#include "interpose/on_endpoint/collective.hpp"
#include "interpose/on_endpoint/collective_call.hpp"
#include "interpose/on_endpoint/in_seats.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::collectives::Movement;
using endpoints::collectives::Pieces;
using Moves = Checked<Movement::Arguments>;

/// @returns MPI_SUCCESS or MPI_ERR_ROOT
int check_root(const Endpoint& endpoint, int root) {
  return root >= 0 && root < endpoint.size() ? MPI_SUCCESS : MPI_ERR_ROOT;
}

MPI_Datatype kept(Held* held, MPI_Datatype type) { return held == nullptr ? type : held->keep(type); }

const MPI_Datatype* kept(Held* held, const MPI_Datatype* types, const Endpoint& endpoint) {
  return held == nullptr || types == nullptr ? types : held->keep(types, endpoint.size());
}

Numbers kept(Held* held, const Numbers& numbers, const Endpoint& endpoint) {
  return held == nullptr ? numbers : numbers.copied_to(held->room(endpoint.size()), endpoint.size());
}

/// What a rank sends to itself lies where it receives it. @returns MPI_SUCCESS or MPI_ERR_BUFFER
int check_same(const Pieces& out, int outgoing, const Pieces& in, int incoming, bool& in_place) {
  if (in_place || !out.complete() || !in.complete() || out.type(outgoing) != in.type(incoming)) return MPI_SUCCESS;
  const MPI_Count count = out.count(outgoing);
  if (count != in.count(incoming) || !same_buffer(out.address(outgoing), in.address(incoming), count))
    return MPI_SUCCESS;
  if (platform::quirks().refuses_same_buffer) return same_buffer_error();
  in_place = true;
  return MPI_SUCCESS;
}

Moves bcast(const Endpoint& endpoint, Held* held, void* buffer, MPI_Count count, MPI_Datatype type, int root) {
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

Moves gather(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type, void* room,
             MPI_Count room_count, MPI_Datatype room_type, int root) {
  return gather_into(endpoint, held, buffer, count, type, root,
                     [&] { return Pieces::uniform(room, room_count, kept(held, room_type)); });
}

Moves gatherv(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type, void* room,
              Numbers room_counts, Numbers room_places, MPI_Datatype room_type, int root) {
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

Moves scatter(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type, void* room,
              MPI_Count room_count, MPI_Datatype room_type, int root) {
  return scatter_from(
      endpoint, held, [&] { return Pieces::uniform(buffer, count, kept(held, type)); }, room, room_count, room_type,
      root);
}

Moves scatterv(const Endpoint& endpoint, Held* held, const void* buffer, Numbers counts, Numbers places,
               MPI_Datatype type, void* room, MPI_Count room_count, MPI_Datatype room_type, int root) {
  return scatter_from(
      endpoint, held,
      [&] {
        return Pieces::varying(buffer, kept(held, counts, endpoint), kept(held, places, endpoint), kept(held, type));
      },
      room, room_count, room_type, root);
}

Moves allgather_into(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                     const Pieces& in) {
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

Moves allgather(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                void* room, MPI_Count room_count, MPI_Datatype room_type) {
  return allgather_into(endpoint, held, buffer, count, type, Pieces::uniform(room, room_count, kept(held, room_type)));
}

Moves allgatherv(const Endpoint& endpoint, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type,
                 void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type) {
  return allgather_into(endpoint, held, buffer, count, type,
                        Pieces::varying(room, kept(held, room_counts, endpoint), kept(held, room_places, endpoint),
                                        kept(held, room_type)));
}

/// Either all pieces lie where those of the other kind do, or none.
/// @param same  whether one buffer was given, and the same arrays of counts and types
Moves alltoall_of(const Pieces& out, const Pieces& in, bool in_place, bool same = false) {
  Moves made{MPI_SUCCESS, {Movement::Kind::alltoall, 0, in_place ? in : out, in, in_place}};
  if (same && !in_place && platform::quirks().refuses_same_buffer) return {same_buffer_error()};
  made.code = check_same(out, 0, in, 0, made.arguments.in_place);
  if (made.arguments.in_place) made.arguments.out = in;
  return made;
}

Moves alltoall(const Endpoint&, Held* held, const void* buffer, MPI_Count count, MPI_Datatype type, void* room,
               MPI_Count room_count, MPI_Datatype room_type) {
  const Pieces in = Pieces::uniform(room, room_count, kept(held, room_type));
  const bool in_place = buffer == MPI_IN_PLACE;
  return alltoall_of(in_place ? in : Pieces::uniform(buffer, count, kept(held, type)), in, in_place);
}

Moves alltoallv(const Endpoint& endpoint, Held* held, const void* buffer, Numbers counts, Numbers places,
                MPI_Datatype type, void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type) {
  const Pieces in = Pieces::varying(room, kept(held, room_counts, endpoint), kept(held, room_places, endpoint),
                                    kept(held, room_type));
  const bool in_place = buffer == MPI_IN_PLACE;
  return alltoall_of(
      in_place ? in
               : Pieces::varying(buffer, kept(held, counts, endpoint), kept(held, places, endpoint), kept(held, type)),
      in, in_place, buffer == room && buffer != nullptr && counts.same_array(room_counts) && type == room_type);
}

Moves alltoallw(const Endpoint& endpoint, Held* held, const void* buffer, Numbers counts, Numbers places,
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

}  // namespace

int Bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Bcast",
                       [&](Held* held) { return bcast(endpoint, held, buffer, count, type, root); });
}

int Ibcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request,
                         [&](Held* held) { return bcast(endpoint, held, buffer, count, type, root); });
}

int Bcast_init(void* buffer, MPI_Count count, MPI_Datatype type, int root, Endpoint& endpoint, MPI_Info,
               MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Bcast_init", request,
                        [&](Held* held) { return bcast(endpoint, held, buffer, count, type, root); });
}

int Gather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
           MPI_Datatype room_type, int root, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Gather", [&](Held* held) {
    return gather(endpoint, held, buffer, count, type, room, room_count, room_type, root);
  });
}

int Igather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
            MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return gather(endpoint, held, buffer, count, type, room, room_count, room_type, root);
  });
}

int Gather_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Gather_init", request, [&](Held* held) {
    return gather(endpoint, held, buffer, count, type, room, room_count, room_type, root);
  });
}

int Gatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
            Numbers room_places, MPI_Datatype room_type, int root, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Gatherv", [&](Held* held) {
    return gatherv(endpoint, held, buffer, count, type, room, room_counts, room_places, room_type, root);
  });
}

int Igatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
             Numbers room_places, MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return gatherv(endpoint, held, buffer, count, type, room, room_counts, room_places, room_type, root);
  });
}

int Gatherv_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                 Numbers room_places, MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info,
                 MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Gatherv_init", request, [&](Held* held) {
    return gatherv(endpoint, held, buffer, count, type, room, room_counts, room_places, room_type, root);
  });
}

int Scatter(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
            MPI_Datatype room_type, int root, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Scatter", [&](Held* held) {
    return scatter(endpoint, held, buffer, count, type, room, room_count, room_type, root);
  });
}

int Iscatter(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
             MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return scatter(endpoint, held, buffer, count, type, room, room_count, room_type, root);
  });
}

int Scatter_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                 MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Scatter_init", request, [&](Held* held) {
    return scatter(endpoint, held, buffer, count, type, room, room_count, room_type, root);
  });
}

int Scatterv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, MPI_Count room_count,
             MPI_Datatype room_type, int root, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Scatterv", [&](Held* held) {
    return scatterv(endpoint, held, buffer, counts, places, type, room, room_count, room_type, root);
  });
}

int Iscatterv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, MPI_Count room_count,
              MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return scatterv(endpoint, held, buffer, counts, places, type, room, room_count, room_type, root);
  });
}

int Scatterv_init(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                  MPI_Count room_count, MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info,
                  MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Scatterv_init", request, [&](Held* held) {
    return scatterv(endpoint, held, buffer, counts, places, type, room, room_count, room_type, root);
  });
}

int Allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
              MPI_Datatype room_type, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Allgather", [&](Held* held) {
    return allgather(endpoint, held, buffer, count, type, room, room_count, room_type);
  });
}

int Iallgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
               MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return allgather(endpoint, held, buffer, count, type, room, room_count, room_type);
  });
}

int Allgather_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                   MPI_Datatype room_type, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Allgather_init", request, [&](Held* held) {
    return allgather(endpoint, held, buffer, count, type, room, room_count, room_type);
  });
}

int Allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
               Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Allgatherv", [&](Held* held) {
    return allgatherv(endpoint, held, buffer, count, type, room, room_counts, room_places, room_type);
  });
}

int Iallgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return allgatherv(endpoint, held, buffer, count, type, room, room_counts, room_places, room_type);
  });
}

int Allgatherv_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                    Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Allgatherv_init", request, [&](Held* held) {
    return allgatherv(endpoint, held, buffer, count, type, room, room_counts, room_places, room_type);
  });
}

int Alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
             MPI_Datatype room_type, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Alltoall", [&](Held* held) {
    return alltoall(endpoint, held, buffer, count, type, room, room_count, room_type);
  });
}

int Ialltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
              MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return alltoall(endpoint, held, buffer, count, type, room, room_count, room_type);
  });
}

int Alltoall_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                  MPI_Datatype room_type, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Alltoall_init", request, [&](Held* held) {
    return alltoall(endpoint, held, buffer, count, type, room, room_count, room_type);
  });
}

int Alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, Numbers room_counts,
              Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Alltoallv", [&](Held* held) {
    return alltoallv(endpoint, held, buffer, counts, places, type, room, room_counts, room_places, room_type);
  });
}

int Ialltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, Numbers room_counts,
               Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return alltoallv(endpoint, held, buffer, counts, places, type, room, room_counts, room_places, room_type);
  });
}

int Alltoallv_init(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                   Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Info,
                   MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Alltoallv_init", request, [&](Held* held) {
    return alltoallv(endpoint, held, buffer, counts, places, type, room, room_counts, room_places, room_type);
  });
}

int Alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
              Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint) {
  return run<Movement>(endpoint, "MPI_Alltoallw", [&](Held* held) {
    return alltoallw(endpoint, held, buffer, counts, places, types, room, room_counts, room_places, room_types);
  });
}

int Ialltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
               Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint,
               MPI_Request* request) {
  return start<Movement>(endpoint, request, [&](Held* held) {
    return alltoallw(endpoint, held, buffer, counts, places, types, room, room_counts, room_places, room_types);
  });
}

int Alltoallw_init(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                   Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint,
                   MPI_Info, MPI_Request* request) {
  return init<Movement>(endpoint, "MPI_Alltoallw_init", request, [&](Held* held) {
    return alltoallw(endpoint, held, buffer, counts, places, types, room, room_counts, room_places, room_types);
  });
}

}  // namespace raddle::interpose::on_endpoint
