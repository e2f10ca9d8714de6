// SPDX-License-Identifier: BSD-3-Clause
// Collectives: MPI-4.1 chapter 6. Blocking, nonblocking, persistent. One function for both forms of an MPI function:
// counts and displacements are of either kind.
#pragma once

#include <mpi.h>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::collectives::Numbers;

int Barrier(Endpoint& endpoint);
int Ibarrier(Endpoint& endpoint, MPI_Request* request);
int Barrier_init(Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Bcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Endpoint& endpoint);
int Ibcast(void* buffer, MPI_Count count, MPI_Datatype type, int root, Endpoint& endpoint, MPI_Request* request);
int Bcast_init(void* buffer, MPI_Count count, MPI_Datatype type, int root, Endpoint& endpoint, MPI_Info info,
               MPI_Request* request);

int Gather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
           MPI_Datatype room_type, int root, Endpoint& endpoint);
int Igather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
            MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request);
int Gather_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Gatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
            Numbers room_places, MPI_Datatype room_type, int root, Endpoint& endpoint);
int Igatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
             Numbers room_places, MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request);
int Gatherv_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                 Numbers room_places, MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info info,
                 MPI_Request* request);

int Scatter(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
            MPI_Datatype room_type, int root, Endpoint& endpoint);
int Iscatter(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
             MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request);
int Scatter_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                 MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Scatterv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, MPI_Count room_count,
             MPI_Datatype room_type, int root, Endpoint& endpoint);
int Iscatterv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, MPI_Count room_count,
              MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Request* request);
int Scatterv_init(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                  MPI_Count room_count, MPI_Datatype room_type, int root, Endpoint& endpoint, MPI_Info info,
                  MPI_Request* request);

int Allgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
              MPI_Datatype room_type, Endpoint& endpoint);
int Iallgather(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
               MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Allgather_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                   MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Allgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
               Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint);
int Iallgatherv(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Allgatherv_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, Numbers room_counts,
                    Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info,
                    MPI_Request* request);

int Alltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
             MPI_Datatype room_type, Endpoint& endpoint);
int Ialltoall(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
              MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Alltoall_init(const void* buffer, MPI_Count count, MPI_Datatype type, void* room, MPI_Count room_count,
                  MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Alltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, Numbers room_counts,
              Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint);
int Ialltoallv(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room, Numbers room_counts,
               Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Request* request);
int Alltoallv_init(const void* buffer, Numbers counts, Numbers places, MPI_Datatype type, void* room,
                   Numbers room_counts, Numbers room_places, MPI_Datatype room_type, Endpoint& endpoint, MPI_Info info,
                   MPI_Request* request);

int Alltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
              Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint);
int Ialltoallw(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
               Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint,
               MPI_Request* request);
int Alltoallw_init(const void* buffer, Numbers counts, Numbers places, const MPI_Datatype* types, void* room,
                   Numbers room_counts, Numbers room_places, const MPI_Datatype* room_types, Endpoint& endpoint,
                   MPI_Info info, MPI_Request* request);

int Reduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, Endpoint& endpoint);
int Ireduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, Endpoint& endpoint,
            MPI_Request* request);
int Reduce_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Allreduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint);
int Iallreduce(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
               MPI_Request* request);
int Allreduce_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
                   MPI_Info info, MPI_Request* request);

int Reduce_scatter(const void* buffer, void* room, Numbers counts, MPI_Datatype type, MPI_Op op, Endpoint& endpoint);
int Ireduce_scatter(const void* buffer, void* room, Numbers counts, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
                    MPI_Request* request);
int Reduce_scatter_init(const void* buffer, void* room, Numbers counts, MPI_Datatype type, MPI_Op op,
                        Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Reduce_scatter_block(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         Endpoint& endpoint);
int Ireduce_scatter_block(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                          Endpoint& endpoint, MPI_Request* request);
int Reduce_scatter_block_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op,
                              Endpoint& endpoint, MPI_Info info, MPI_Request* request);

int Scan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint);
int Iscan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
          MPI_Request* request);
int Scan_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
              MPI_Info info, MPI_Request* request);

int Exscan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint);
int Iexscan(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
            MPI_Request* request);
int Exscan_init(const void* buffer, void* room, MPI_Count count, MPI_Datatype type, MPI_Op op, Endpoint& endpoint,
                MPI_Info info, MPI_Request* request);

}  // namespace raddle::interpose::on_endpoint
