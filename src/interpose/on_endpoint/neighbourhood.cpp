// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/neighbourhood.hpp"

#include <memory>
#include <utility>

#include "endpoints/collectives/neighbourhood.hpp"
#include "endpoints/collectives/neighbourhood_request.hpp"
#include "endpoints/errors.hpp"
#include "interpose/on_endpoint/arguments.hpp"
#include "platform/relied_on.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::collectives::Neighbourhood;
using endpoints::collectives::NeighbourhoodRequest;
using endpoints::collectives::Pieces;
using Exchange = Neighbourhood::Arguments;

Exchange allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                   MPI_Datatype room_type) {
  return {Pieces::uniform(buffer, count, type), false, Pieces::uniform(room, room_count, room_type)};
}

Exchange allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                    Numbers room_places, MPI_Datatype room_type) {
  return {Pieces::uniform(buffer, count, type), false, Pieces::varying(room, room_counts, room_places, room_type)};
}

Exchange alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                  MPI_Datatype room_type) {
  return {Pieces::uniform(buffer, count, type), true, Pieces::uniform(room, room_count, room_type)};
}

Exchange alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                   Numbers room_counts, Numbers room_places, MPI_Datatype room_type) {
  return {Pieces::varying(buffer, counts, places, type), true,
          Pieces::varying(room, room_counts, room_places, room_type)};
}

Exchange alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                   Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types) {
  return {Pieces::free(buffer, counts, places, types), true, Pieces::free(room, room_counts, room_places, room_types)};
}

int run(Endpoint& endpoint, const char* call, const Exchange& exchange) {
  if (!endpoint.topology()) return endpoints::raise(endpoint.comm, MPI_ERR_TOPOLOGY);
  Neighbourhood messages;
  const int code = platform::relied_on(call, [&] {
    if (const int wrong = messages.start(endpoint, exchange); wrong != MPI_SUCCESS) return wrong;
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

using Begin = int (Neighbourhood::*)(Endpoint&, const Exchange&);

int request_of(Endpoint& endpoint, MPI_Request* request, const Exchange& exchange, Begin begin, bool persistent) {
  if (!endpoint.topology()) return endpoints::raise(endpoint.comm, MPI_ERR_TOPOLOGY);
  return platform::relied_on("a nonblocking neighbourhood collective", [&]() -> int {
    auto messages = std::make_unique<Neighbourhood>();
    if (const int code = (*messages.*begin)(endpoint, exchange); code != MPI_SUCCESS)
      return endpoints::raise(endpoint.comm, code);
    *request = std::make_unique<NeighbourhoodRequest>(endpoint, std::move(messages), persistent).release()->handle();
    return MPI_SUCCESS;
  });
}

int start(Endpoint& endpoint, MPI_Request* request, const Exchange& exchange) {
  return request_of(endpoint, request, exchange, &Neighbourhood::start, false);
}

int init(Endpoint& endpoint, MPI_Request* request, const Exchange& exchange) {
  return request_of(endpoint, request, exchange, &Neighbourhood::make, true);
}

}  // namespace

int Neighbor_allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                       MPI_Datatype room_type, Endpoint& endpoint) {
  return run(endpoint, "MPI_Neighbor_allgather", allgather(buffer, count, type, room, room_count, room_type));
}

int Ineighbor_allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                        MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start(endpoint, request, allgather(buffer, count, type, room, room_count, room_type));
}

int Neighbor_allgather_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                            MPI_Datatype room_type, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init(endpoint, request, allgather(buffer, count, type, room, room_count, room_type));
}

int Neighbor_allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                        Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint) {
  return run(endpoint, "MPI_Neighbor_allgatherv",
             allgatherv(buffer, count, type, room, room_counts, room_places, room_type));
}

int Ineighbor_allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                         Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start(endpoint, request, allgatherv(buffer, count, type, room, room_counts, room_places, room_type));
}

int Neighbor_allgatherv_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                             Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Info,
                             MPI_Request* request) {
  return init(endpoint, request, allgatherv(buffer, count, type, room, room_counts, room_places, room_type));
}

int Neighbor_alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                      MPI_Datatype room_type, Endpoint& endpoint) {
  return run(endpoint, "MPI_Neighbor_alltoall", alltoall(buffer, count, type, room, room_count, room_type));
}

int Ineighbor_alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                       MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request) {
  return start(endpoint, request, alltoall(buffer, count, type, room, room_count, room_type));
}

int Neighbor_alltoall_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                           MPI_Datatype room_type, Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init(endpoint, request, alltoall(buffer, count, type, room, room_count, room_type));
}

int Neighbor_alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                       Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint) {
  return run(endpoint, "MPI_Neighbor_alltoallv",
             alltoallv(buffer, counts, places, type, room, room_counts, room_places, room_type));
}

int Ineighbor_alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                        Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint,
                        MPI_Request* request) {
  return start(endpoint, request, alltoallv(buffer, counts, places, type, room, room_counts, room_places, room_type));
}

int Neighbor_alltoallv_init(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                            Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint,
                            MPI_Info, MPI_Request* request) {
  return init(endpoint, request, alltoallv(buffer, counts, places, type, room, room_counts, room_places, room_type));
}

int Neighbor_alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                       Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint) {
  return run(endpoint, "MPI_Neighbor_alltoallw",
             alltoallw(buffer, counts, places, types, room, room_counts, room_places, room_types));
}

int Ineighbor_alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                        Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint,
                        MPI_Request* request) {
  return start(endpoint, request, alltoallw(buffer, counts, places, types, room, room_counts, room_places, room_types));
}

int Neighbor_alltoallw_init(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                            Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types,
                            Endpoint& endpoint, MPI_Info, MPI_Request* request) {
  return init(endpoint, request, alltoallw(buffer, counts, places, types, room, room_counts, room_places, room_types));
}

}  // namespace raddle::interpose::on_endpoint
