// SPDX-License-Identifier: BSD-3-Clause
// Collectives on neighbours: MPI-4.1 sections 8.6 to 8.8. Blocking, nonblocking, persistent. One function for both
// forms of an MPI function: counts and displacements are of either kind.
#pragma once

#include <mpi.h>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::collectives::Numbers;

int Neighbor_allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                       MPI_Datatype room_type, Endpoint& endpoint);
int Ineighbor_allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                        MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Neighbor_allgather_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                            MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Neighbor_allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                        Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint);
int Ineighbor_allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                         Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Neighbor_allgatherv_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                             Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info,
                             MPI_Request* request);

int Neighbor_alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                      MPI_Datatype room_type, Endpoint& endpoint);
int Ineighbor_alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                       MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Neighbor_alltoall_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                           MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Neighbor_alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                       Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint);
int Ineighbor_alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                        Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint,
                        MPI_Request* request);
int Neighbor_alltoallv_init(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                            Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint,
                            MPI_Info info, MPI_Request* request);

int Neighbor_alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                       Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint);
int Ineighbor_alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                        Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint,
                        MPI_Request* request);
int Neighbor_alltoallw_init(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                            Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types,
                            Endpoint& endpoint, MPI_Info info, MPI_Request* request);

}  // namespace raddle::interpose::on_endpoint
