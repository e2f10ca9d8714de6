// SPDX-License-Identifier: BSD-3-Clause
// Communicators made of an endpoints communicator: MPI-4.1 section 7.4.2. All its endpoints call, each in a thread of
// its own; of MPI_Comm_create_group those of the group.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"
#include "endpoints/group.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;

int Comm_create(Endpoint& endpoint, MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int Comm_create_group(Endpoint& endpoint, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);
int Comm_dup(Endpoint& endpoint, MPI_Comm* made);
int Comm_dup_with_info(Endpoint& endpoint, MPI_Info info, MPI_Comm* made);
int Comm_idup(Endpoint& endpoint, MPI_Comm* made, MPI_Request* request);
int Comm_idup_with_info(Endpoint& endpoint, MPI_Info info, MPI_Comm* made, MPI_Request* request);
int Comm_split(Endpoint& endpoint, int colour, int key, MPI_Comm* made);
int Comm_split_type(Endpoint& endpoint, int type, int key, MPI_Info info, MPI_Comm* made);

// A group of endpoints for a communicator without any.
int Comm_create(const endpoints::Group& found, MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int Comm_create_group(const endpoints::Group& found, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);

}  // namespace raddle::interpose::on_endpoint
