// SPDX-License-Identifier: BSD-3-Clause
// The endpoint's communicator itself: MPI-4.1 chapter 7.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;

int Abort(const Endpoint& endpoint, int errorcode);
int Comm_compare(const Endpoint& endpoint, MPI_Comm one, MPI_Comm other, int* result);
int Comm_free(Endpoint& endpoint, MPI_Comm* comm);
int Comm_group(const Endpoint& endpoint, MPI_Group* group);
int Comm_rank(const Endpoint& endpoint, int* rank);
int Comm_remote_group(const Endpoint& endpoint, MPI_Group* group);
int Comm_remote_size(const Endpoint& endpoint, int* size);
int Comm_size(const Endpoint& endpoint, int* size);
int Comm_test_inter(const Endpoint& endpoint, int* flag);
int Topo_test(const Endpoint& endpoint, int* kind);

}  // namespace raddle::interpose::on_endpoint
