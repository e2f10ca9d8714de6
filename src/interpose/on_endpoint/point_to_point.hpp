// SPDX-License-Identifier: BSD-3-Clause
// Messages: MPI-4.1 chapter 3. One function for both forms of an MPI function: a count that is `int` becomes an
// `MPI_Count`.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::Probed;

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

}  // namespace raddle::interpose::on_endpoint
