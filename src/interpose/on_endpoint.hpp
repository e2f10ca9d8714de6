// SPDX-License-Identifier: BSD-3-Clause
// What MPI functions do on an endpoint: those that endpoint_functions.toml lists as `endpoint`; those that it lists as
// `collectives` are generated. Each gets what stands behind the first handle of an endpoint among its arguments, then
// all arguments. Chapters and sections are those of MPI-4.1; files are in src/interpose/on_endpoint.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/groups/group.hpp"
#include "endpoints/requests/request.hpp"
#include "generated/collectives.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::Group;
using endpoints::Probed;
using endpoints::Request;

// Messages: chapter 3 (send.cpp, receive.cpp). One function for both forms of an MPI function: a count that
// is `int` becomes an `MPI_Count`.

// blocking (sections 3.2, 3.4, 3.6, 3.10)
int Send(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint);
int Ssend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint);
int Rsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint);
int Bsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint);
int Recv(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint, MPI_Status* status);
int Sendrecv(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, void* room,
             MPI_Count room_count, MPI_Datatype room_type, int source, int receive_tag, Endpoint& endpoint,
             MPI_Status* status);
int Sendrecv_replace(void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, int source,
                     int receive_tag, Endpoint& endpoint, MPI_Status* status);

// nonblocking (sections 3.7, 3.10)
int Isend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
          MPI_Request* request);
int Issend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request);
int Irsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request);
int Ibsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request);
int Irecv(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint,
          MPI_Request* request);
int Isendrecv(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, void* room,
              MPI_Count room_count, MPI_Datatype room_type, int source, int receive_tag, Endpoint& endpoint,
              MPI_Request* request);
int Isendrecv_replace(void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, int source,
                      int receive_tag, Endpoint& endpoint, MPI_Request* request);

// persistent (section 3.9)
int Send_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
              MPI_Request* request);
int Ssend_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
               MPI_Request* request);
int Rsend_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
               MPI_Request* request);
int Bsend_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
               MPI_Request* request);
int Recv_init(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint,
              MPI_Request* request);

// probes (section 3.8)
int Probe(int source, int tag, Endpoint& endpoint, MPI_Status* status);
int Iprobe(int source, int tag, Endpoint& endpoint, int* flag, MPI_Status* status);
int Mprobe(int source, int tag, Endpoint& endpoint, MPI_Message* message, MPI_Status* status);
int Improbe(int source, int tag, Endpoint& endpoint, int* flag, MPI_Message* message, MPI_Status* status);
int Mrecv(Probed& probed, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status);
int Imrecv(Probed& probed, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message,
           MPI_Request* request);

// The buffer of MPI_Bsend of one endpoint: section 3.6 (send.cpp).

int Comm_attach_buffer(Endpoint& endpoint, void* buffer, MPI_Count size);
int Comm_flush_buffer(Endpoint& endpoint);
int Comm_iflush_buffer(Endpoint& endpoint, MPI_Request* request);

/// Waits until it is empty.
void detach_buffer(Endpoint& endpoint, void* address, std::int64_t& size);

template <typename Count>
int Comm_detach_buffer(Endpoint& endpoint, void* address, Count* size) {
  std::int64_t bytes = 0;
  detach_buffer(endpoint, address, bytes);
  *size = static_cast<Count>(bytes);
  return MPI_SUCCESS;
}

// Completion, and what else is done with requests (completion.cpp). `found` is the first request of an endpoint among
// those given.

int Wait(Request& found, MPI_Request* request, MPI_Status* status);
int Waitall(Request& found, int count, MPI_Request* requests, MPI_Status* statuses);
int Waitany(Request& found, int count, MPI_Request* requests, int* index, MPI_Status* status);
int Waitsome(Request& found, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses);

int Test(Request& found, MPI_Request* request, int* flag, MPI_Status* status);
int Testall(Request& found, int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
int Testany(Request& found, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int Testsome(Request& found, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses);

// Those on several came with MPI-4.1.
int Request_get_status(Request& found, int* flag, MPI_Status* status);
int Request_get_status_all(Request& found, int count, const MPI_Request* requests, int* flag, MPI_Status* statuses);
int Request_get_status_any(Request& found, int count, const MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status);
int Request_get_status_some(Request& found, int count, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* statuses);

int Request_free(Request& found, MPI_Request* request);
int Cancel(Request& found, MPI_Request* request);
int Start(Request& found, MPI_Request* request);
int Startall(Request& found, int count, MPI_Request* requests);

// Partitioned communication: chapter 4 (partitioned.cpp). What is done with requests is so on communicators of
// processes as well.

int Psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
               Endpoint& endpoint, MPI_Info info, MPI_Request* request);
int Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
               Endpoint& endpoint, MPI_Info info, MPI_Request* request);

/// Here, since it is called once for each partition: nothing but the virtual call.
inline int Pready(int partition, Request& request) {
  endpoints::Partitions* const partitions = request.partitions();
  const int code = partitions == nullptr ? MPI_ERR_REQUEST : partitions->ready(partition);
  return code == MPI_SUCCESS ? code : endpoints::raise(request.comm(), code);
}
int Pready_range(int low, int high, Request& request);
int Pready_list(int length, const int* partitions, Request& request);
int Parrived(Request& request, int partition, int* flag);
/// The same of MPI_REQUEST_NULL, which MPI_Parrived takes (MPI-4.1 section 4.2.2).
inline int arrived_of_nothing(int* flag) {
  *flag = 1;
  return MPI_SUCCESS;
}

// Groups of endpoints: section 7.3 (group.cpp). Of several groups at least one names endpoints; the others may be the
// MPI's.

int Group_compare(const Group& found, MPI_Group one, MPI_Group other, int* result);
int Group_difference(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made);
int Group_excl(const Group& group, int count, const int* ranks, MPI_Group* made);
int Group_free(Group& found, MPI_Group* group);
int Group_incl(const Group& group, int count, const int* ranks, MPI_Group* made);
int Group_intersection(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made);
int Group_range_excl(const Group& group, int count, const int (*ranges)[3], MPI_Group* made);
int Group_range_incl(const Group& group, int count, const int (*ranges)[3], MPI_Group* made);
int Group_rank(const Group& group, int* rank);
int Group_size(const Group& group, int* size);
int Group_translate_ranks(const Group& found, MPI_Group of, int count, const int* ranks, MPI_Group in, int* translated);
int Group_union(const Group& found, MPI_Group one, MPI_Group other, MPI_Group* made);

// The endpoint's communicator itself: chapter 7 (communicator.cpp).

int Abort(const Endpoint& endpoint, int errorcode);
int Comm_compare(const Endpoint& endpoint, MPI_Comm one, MPI_Comm other, int* result);
int Comm_free(Endpoint& endpoint, MPI_Comm* comm);
int Comm_group(const Endpoint& endpoint, MPI_Group* group);
int Comm_rank(const Endpoint& endpoint, int* rank);
int Comm_remote_group(const Endpoint& endpoint, MPI_Group* group);
int Comm_remote_size(const Endpoint& endpoint, int* size);
int Comm_size(const Endpoint& endpoint, int* size);
int Comm_test_inter(const Endpoint& endpoint, int* flag);

// Communicators made of an endpoints communicator: section 7.4.2 (derive.cpp). All its endpoints call, each in a thread
// of its own; of MPI_Comm_create_group those of the group.

int Comm_create(Endpoint& endpoint, MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int Comm_create_group(Endpoint& endpoint, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);
int Comm_dup(Endpoint& endpoint, MPI_Comm* made);
int Comm_dup_with_info(Endpoint& endpoint, MPI_Info info, MPI_Comm* made);
int Comm_idup(Endpoint& endpoint, MPI_Comm* made, MPI_Request* request);
int Comm_idup_with_info(Endpoint& endpoint, MPI_Info info, MPI_Comm* made, MPI_Request* request);
int Comm_split(Endpoint& endpoint, int colour, int key, MPI_Comm* made);
int Comm_split_type(Endpoint& endpoint, int type, int key, MPI_Info info, MPI_Comm* made);

// A group of endpoints for a communicator without any.
int Comm_create(const Group& found, MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int Comm_create_group(const Group& found, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);

// Virtual topologies: chapter 8 (cartesian.cpp, graph.cpp). Ranks keep their order, whatever
// `reorder` says.

int Topo_test(const Endpoint& endpoint, int* status);

int Cart_create(Endpoint& endpoint, int count, const int* lengths, const int* periodic, int reorder, MPI_Comm* made);
int Cart_sub(Endpoint& endpoint, const int* kept, MPI_Comm* made);
int Cartdim_get(const Endpoint& endpoint, int* count);
int Cart_get(const Endpoint& endpoint, int room, int* lengths, int* periodic, int* coordinates);
int Cart_rank(const Endpoint& endpoint, const int* coordinates, int* rank);
int Cart_coords(const Endpoint& endpoint, int rank, int room, int* coordinates);
int Cart_shift(const Endpoint& endpoint, int dimension, int steps, int* source, int* destination);
int Cart_map(const Endpoint& endpoint, int count, const int* lengths, const int* periodic, int* rank);

int Graph_create(Endpoint& endpoint, int size, const int* ends, const int* edges, int reorder, MPI_Comm* made);
int Graphdims_get(const Endpoint& endpoint, int* size, int* edges);
int Graph_get(const Endpoint& endpoint, int room, int room_for_edges, int* ends, int* edges);
int Graph_neighbors_count(const Endpoint& endpoint, int rank, int* count);
int Graph_neighbors(const Endpoint& endpoint, int rank, int room, int* neighbours);
int Graph_map(const Endpoint& endpoint, int size, const int* ends, const int* edges, int* rank);

int Dist_graph_create(Endpoint& endpoint, int count, const int* sources, const int* degrees, const int* destinations,
                      const int* weights, MPI_Info info, int reorder, MPI_Comm* made);
int Dist_graph_create_adjacent(Endpoint& endpoint, int in, const int* sources, const int* in_weights, int out,
                               const int* destinations, const int* out_weights, MPI_Info info, int reorder,
                               MPI_Comm* made);
int Dist_graph_neighbors_count(const Endpoint& endpoint, int* in, int* out, int* weighted);
int Dist_graph_neighbors(const Endpoint& endpoint, int room_in, int* sources, int* in_weights, int room_out,
                         int* destinations, int* out_weights);

// Arguments of messages, checked once for all functions.

/// Whether 0 <= number <= most, in one comparison.
inline bool up_to(int number, int most) { return static_cast<unsigned>(number) <= static_cast<unsigned>(most); }
/// Whether 0 <= number < end, in one comparison.
inline bool below(int number, int end) { return static_cast<unsigned>(number) < static_cast<unsigned>(end); }

/// @returns MPI_SUCCESS, MPI_ERR_RANK or MPI_ERR_TAG
inline int check_send(const endpoints::Endpoint& endpoint, int to, int tag) {
  if (!below(to, endpoint.size()) && to != MPI_PROC_NULL) [[unlikely]]
    return MPI_ERR_RANK;
  if (!up_to(tag, endpoint.greatest_tag())) [[unlikely]]
    return MPI_ERR_TAG;
  return MPI_SUCCESS;
}

inline int check_receive(const endpoints::Endpoint& endpoint, int source, int tag) {
  if (!below(source, endpoint.size()) && source != MPI_PROC_NULL && source != MPI_ANY_SOURCE) [[unlikely]]
    return MPI_ERR_RANK;
  if (!up_to(tag, endpoint.greatest_tag()) && tag != MPI_ANY_TAG) [[unlikely]]
    return MPI_ERR_TAG;
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
