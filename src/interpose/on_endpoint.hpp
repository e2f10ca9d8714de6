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
#include "interpose/on_endpoint/short_way.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::File;
using endpoints::Group;
using endpoints::Probed;
using endpoints::Request;
using endpoints::Session;
using endpoints::Window;

// Messages: chapter 3 (send.cpp, receive.cpp; MPI_Send, MPI_Isend and MPI_Irecv in short_way.hpp). One function for
// both forms of an MPI function: a count that is `int` becomes an `MPI_Count`.

// blocking (sections 3.2, 3.4, 3.6, 3.10)
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
int Issend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request);
int Irsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request);
int Ibsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
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

// Sessions of ranks: section 11.3 (session.cpp), and what is made of groups alone: sections 7.4.2 and 7.6.2
// (from_groups.cpp).

int Session_get_num_psets(const Session& session, MPI_Info info, int* sets);
int Session_get_nth_pset(const Session& session, MPI_Info info, int which, int* length, char* name);
int Session_get_pset_info(const Session& session, const char* set, MPI_Info* info);
int Group_from_session_pset(const Session& session, const char* set, MPI_Group* group);
int Session_attach_buffer(const Session& session, void* buffer, MPI_Count size);
int Session_flush_buffer(const Session& session);
int Session_iflush_buffer(const Session& session, MPI_Request* request);

/// Waits until it is empty.
void detach_buffer(const Session& session, void* address, std::int64_t& size);

template <typename Count>
int Session_detach_buffer(const Session& session, void* address, Count* size) {
  std::int64_t bytes = 0;
  detach_buffer(session, address, bytes);
  *size = static_cast<Count>(bytes);
  return MPI_SUCCESS;
}

int Comm_create_from_group(const Group& group, const char* text, MPI_Info info, MPI_Errhandler handler, MPI_Comm* made);
int Intercomm_create_from_groups(const Group& found, MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* text, MPI_Info info, MPI_Errhandler handler,
                                 MPI_Comm* made);

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

// Processes that endpoints start: sections 11.8 and 11.10.4 (processes.cpp).

int Comm_spawn(const char* command, char** arguments, int processes, MPI_Info info, int root, Endpoint& endpoint,
               MPI_Comm* made, int* codes);
int Comm_spawn_multiple(int count, char** commands, char*** arguments, const int* processes, const MPI_Info* infos,
                        int root, Endpoint& endpoint, MPI_Comm* made, int* codes);
int Comm_disconnect(Endpoint& endpoint, MPI_Comm* comm);

// Endpoints that connect: sections 11.9 and 11.10 (connections.cpp).

int Comm_accept(const char* name, MPI_Info info, int root, Endpoint& endpoint, MPI_Comm* made);
int Comm_connect(const char* name, MPI_Info info, int root, Endpoint& endpoint, MPI_Comm* made);
/// @param self  the rank's own communicator
int Comm_join(Endpoint& self, int socket, MPI_Comm* made);

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

// Intercommunicators: section 7.6 (intercommunicator.cpp).

/// @param found  the endpoint of `local`, or else that of `peer`
int Intercomm_create(Endpoint& found, MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                     MPI_Comm* made);
int Intercomm_merge(Endpoint& endpoint, int high, MPI_Comm* made);

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

// Windows: chapter 12 (window.cpp). In the order of the standard.

int Win_create(void* base, MPI_Aint size, MPI_Aint unit, MPI_Info info, Endpoint& endpoint, MPI_Win* window);
int Win_allocate(MPI_Aint size, MPI_Aint unit, MPI_Info info, Endpoint& endpoint, void* base, MPI_Win* window);
int Win_allocate_shared(MPI_Aint size, MPI_Aint unit, MPI_Info info, Endpoint& endpoint, void* base, MPI_Win* window);
int Win_create_dynamic(MPI_Info info, Endpoint& endpoint, MPI_Win* window);
int Win_attach(Window& window, void* base, MPI_Aint size);
int Win_detach(Window& window, const void* base);
int Win_free(Window& found, MPI_Win* window);
int Win_get_attr(Window& window, int keyval, void* value, int* flag);
int Win_get_group(Window& window, MPI_Group* group);

int shared_query(Window& window, int rank, MPI_Aint& size, MPI_Aint& unit, void* base);

template <typename Unit>
int Win_shared_query(Window& window, int rank, MPI_Aint* size, Unit* unit, void* base) {
  MPI_Aint wide = 1;
  const int code = shared_query(window, rank, *size, wide, base);
  *unit = static_cast<Unit>(wide);
  return code;
}

int Put(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
        MPI_Datatype type_there, Window& window);
int Get(void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
        MPI_Datatype type_there, Window& window);
int Accumulate(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
               MPI_Datatype type_there, MPI_Op op, Window& window);
int Get_accumulate(const void* origin, MPI_Count count, MPI_Datatype type, void* result, MPI_Count result_count,
                   MPI_Datatype result_type, int rank, MPI_Aint displacement, MPI_Count there, MPI_Datatype type_there,
                   MPI_Op op, Window& window);
int Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Op op,
                 Window& window);
int Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int rank,
                     MPI_Aint displacement, Window& window);
int Rput(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
         MPI_Datatype type_there, Window& window, MPI_Request* request);
int Rget(void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Count there,
         MPI_Datatype type_there, Window& window, MPI_Request* request);
int Raccumulate(const void* origin, MPI_Count count, MPI_Datatype type, int rank, MPI_Aint displacement,
                MPI_Count there, MPI_Datatype type_there, MPI_Op op, Window& window, MPI_Request* request);
int Rget_accumulate(const void* origin, MPI_Count count, MPI_Datatype type, void* result, MPI_Count result_count,
                    MPI_Datatype result_type, int rank, MPI_Aint displacement, MPI_Count there, MPI_Datatype type_there,
                    MPI_Op op, Window& window, MPI_Request* request);

int Win_fence(int assertion, Window& window);
int Win_start(Window& found, MPI_Group group, int assertion, MPI_Win window);
int Win_start(const Group& found, MPI_Group group, int assertion, MPI_Win window);
int Win_complete(Window& window);
int Win_post(Window& found, MPI_Group group, int assertion, MPI_Win window);
int Win_post(const Group& found, MPI_Group group, int assertion, MPI_Win window);
int Win_wait(Window& window);
int Win_test(Window& window, int* flag);
int Win_lock(int type, int rank, int assertion, Window& window);
int Win_lock_all(int assertion, Window& window);
int Win_unlock(int rank, Window& window);
int Win_unlock_all(Window& window);
int Win_flush(int rank, Window& window);
int Win_flush_all(Window& window);
int Win_flush_local(int rank, Window& window);
int Win_flush_local_all(Window& window);
int Win_sync(Window& window);

// Files: chapter 14 (file.cpp). In the order of the standard.

int File_open(Endpoint& endpoint, const char* name, int mode, MPI_Info info, MPI_File* file);
int File_close(File& found, MPI_File* file);
int File_set_size(File& file, MPI_Offset bytes);
int File_preallocate(File& file, MPI_Offset bytes);
int File_get_size(File& file, MPI_Offset* bytes);
int File_get_group(File& file, MPI_Group* group);
int File_get_amode(File& file, int* mode);
int File_set_view(File& file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                  const char* representation, MPI_Info info);
int File_get_view(File& file, MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype,
                  char* representation);

int File_read_at(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_write_at(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                  MPI_Status* status);
int File_read_at_all(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type,
                     MPI_Status* status);
int File_write_at_all(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status* status);
int File_iread_at(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type,
                  MPI_Request* request);
int File_iwrite_at(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                   MPI_Request* request);
int File_iread_at_all(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Request* request);
int File_iwrite_at_all(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type,
                       MPI_Request* request);
int File_read(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_write(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_read_all(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_write_all(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_iread(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request);
int File_iwrite(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request);
int File_iread_all(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request);
int File_iwrite_all(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request);
int File_read_shared(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_write_shared(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_iread_shared(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request);
int File_iwrite_shared(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Request* request);
int File_read_ordered(File& file, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_write_ordered(File& file, const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Status* status);
int File_read_at_all_begin(File& file, MPI_Offset offset, void* buffer, MPI_Count count, MPI_Datatype type);
int File_read_at_all_end(File& file, void* buffer, MPI_Status* status);
int File_write_at_all_begin(File& file, MPI_Offset offset, const void* buffer, MPI_Count count, MPI_Datatype type);
int File_write_at_all_end(File& file, const void* buffer, MPI_Status* status);
int File_read_all_begin(File& file, void* buffer, MPI_Count count, MPI_Datatype type);
int File_read_all_end(File& file, void* buffer, MPI_Status* status);
int File_write_all_begin(File& file, const void* buffer, MPI_Count count, MPI_Datatype type);
int File_write_all_end(File& file, const void* buffer, MPI_Status* status);
int File_read_ordered_begin(File& file, void* buffer, MPI_Count count, MPI_Datatype type);
int File_read_ordered_end(File& file, void* buffer, MPI_Status* status);
int File_write_ordered_begin(File& file, const void* buffer, MPI_Count count, MPI_Datatype type);
int File_write_ordered_end(File& file, const void* buffer, MPI_Status* status);

int File_seek(File& file, MPI_Offset offset, int whence);
int File_get_position(File& file, MPI_Offset* offset);
int File_get_byte_offset(File& file, MPI_Offset offset, MPI_Offset* bytes);
int File_seek_shared(File& file, MPI_Offset offset, int whence);
int File_get_position_shared(File& file, MPI_Offset* offset);

int type_extent(File& file, MPI_Datatype type, MPI_Count& extent);

template <typename Extent>
int File_get_type_extent(File& file, MPI_Datatype type, Extent* extent) {
  MPI_Count wide = 0;
  const int code = type_extent(file, type, wide);
  *extent = static_cast<Extent>(wide);
  return code;
}

int File_set_atomicity(File& file, int flag);
int File_get_atomicity(File& file, int* flag);
int File_sync(File& file);

// Arguments of messages, checked once for all functions.

/// @returns MPI_SUCCESS, MPI_ERR_RANK or MPI_ERR_TAG
inline int check_send(const endpoints::Endpoint& endpoint, int to, int tag) {
  if (!below(to, endpoint.peers().size) && to != MPI_PROC_NULL) [[unlikely]]
    return MPI_ERR_RANK;
  if (!up_to(tag, endpoint.greatest_tag())) [[unlikely]]
    return MPI_ERR_TAG;
  return MPI_SUCCESS;
}

inline int check_receive(const endpoints::Endpoint& endpoint, int source, int tag) {
  if (!below(source, endpoint.peers().size) && source != MPI_PROC_NULL && source != MPI_ANY_SOURCE) [[unlikely]]
    return MPI_ERR_RANK;
  if (!up_to(tag, endpoint.greatest_tag()) && tag != MPI_ANY_TAG) [[unlikely]]
    return MPI_ERR_TAG;
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
