// SPDX-License-Identifier: BSD-3-Clause
// Collectives on neighbours: MPI-4.1 sections 8.6 to 8.8. What their arguments mean, and what each form does.
#pragma once

#include <mpi.h>

#include <concepts>
#include <memory>
#include <utility>

#include "endpoints/collectives/neighbourhood.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "interpose/on_endpoint/forms.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::collectives::Neighbourhood;

namespace described {

using endpoints::collectives::Pieces;
using Exchange = Checked<Neighbourhood>;  // which checks them itself

inline Exchange Neighbor_allgather(const Endpoint&, Held*, const void* buffer, MPI_Count count, MPI_Datatype type,
                                   void* room, MPI_Count room_count, MPI_Datatype room_type) {
  return {MPI_SUCCESS, {Pieces::uniform(buffer, count, type), false, Pieces::uniform(room, room_count, room_type)}};
}

inline Exchange Neighbor_allgatherv(const Endpoint&, Held*, const void* buffer, MPI_Count count, MPI_Datatype type,
                                    void* room, Numbers room_counts, Numbers room_places, MPI_Datatype room_type) {
  return {MPI_SUCCESS,
          {Pieces::uniform(buffer, count, type), false, Pieces::varying(room, room_counts, room_places, room_type)}};
}

inline Exchange Neighbor_alltoall(const Endpoint&, Held*, const void* buffer, MPI_Count count, MPI_Datatype type,
                                  void* room, MPI_Count room_count, MPI_Datatype room_type) {
  return {MPI_SUCCESS, {Pieces::uniform(buffer, count, type), true, Pieces::uniform(room, room_count, room_type)}};
}

inline Exchange Neighbor_alltoallv(const Endpoint&, Held*, const void* buffer, Numbers counts, Numbers places,
                                   MPI_Datatype type, void* room, Numbers room_counts, Numbers room_places,
                                   MPI_Datatype room_type) {
  return {MPI_SUCCESS,
          {Pieces::varying(buffer, counts, places, type), true,
           Pieces::varying(room, room_counts, room_places, room_type)}};
}

inline Exchange Neighbor_alltoallw(const Endpoint&, Held*, const void* buffer, Numbers counts, Numbers places,
                                   const MPI_Datatype* types, void* room, Numbers room_counts, Numbers room_places,
                                   const MPI_Datatype* room_types) {
  return {
      MPI_SUCCESS,
      {Pieces::free(buffer, counts, places, types), true, Pieces::free(room, room_counts, room_places, room_types)}};
}

}  // namespace described

/// A collective on neighbours.
template <typename Describe>
concept OfNeighbours = std::same_as<KindOf<Describe>, Neighbourhood>;

/// Waits for all messages. @returns an MPI error code, raised
inline int exchange(Endpoint& endpoint, const char* call, const Neighbourhood::Arguments& arguments) {
  if (!endpoint.topology()) return endpoints::raise(endpoint.comm, MPI_ERR_TOPOLOGY);
  Neighbourhood messages;
  const int code = platform::relied_on(call, [&] {
    if (const int wrong = messages.start(endpoint, arguments); wrong != MPI_SUCCESS) return wrong;
    until(endpoint, call, [&] {
      if (messages.complete()) return true;
      endpoint.progress();
      return false;
    });
    const int error = messages.error();
    messages.retire();
    return error;
  });
  return code == MPI_SUCCESS ? code : endpoints::raise(endpoint.comm, code);
}

/// @param begin  starts the messages, or makes those that are persistent
inline int request_exchange(Endpoint& endpoint, MPI_Request* request, const Neighbourhood::Arguments& arguments,
                            int (Neighbourhood::*begin)(Endpoint&, const Neighbourhood::Arguments&), bool persistent) {
  if (!endpoint.topology()) return endpoints::raise(endpoint.comm, MPI_ERR_TOPOLOGY);
  return platform::relied_on("a nonblocking neighbourhood collective", [&]() -> int {
    auto messages = std::make_unique<Neighbourhood>();
    if (const int code = (*messages.*begin)(endpoint, arguments); code != MPI_SUCCESS)
      return endpoints::raise(endpoint.comm, code);
    using endpoints::collectives::NeighbourhoodRequest;
    *request = std::make_unique<NeighbourhoodRequest>(endpoint, std::move(messages), persistent).release()->handle();
    return MPI_SUCCESS;
  });
}

/// Blocking.
template <OfNeighbours Describe>
int run(Endpoint& endpoint, const char* call, Describe&& describe) {
  return exchange(endpoint, call, describe(nullptr).arguments);
}

/// Nonblocking.
template <OfNeighbours Describe>
int start(Endpoint& endpoint, MPI_Request* request, Describe&& describe) {
  return request_exchange(endpoint, request, describe(nullptr).arguments, &Neighbourhood::start, false);
}

/// Persistent.
template <OfNeighbours Describe>
int init(Endpoint& endpoint, const char*, MPI_Request* request, Describe&& describe) {
  return request_exchange(endpoint, request, describe(nullptr).arguments, &Neighbourhood::make, true);
}

}  // namespace raddle::interpose::on_endpoint
