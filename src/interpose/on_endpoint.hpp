// SPDX-License-Identifier: BSD-3-Clause
// What MPI functions do on an endpoint: those that endpoint_functions.toml lists as `endpoint`. Each gets what stands
// behind the first handle of an endpoint among its arguments, then all arguments.
#pragma once

#include <mpi.h>

#include "endpoints/handles.hpp"

namespace raddle::interpose::on_endpoint {

int Comm_free(endpoints::Endpoint& endpoint, MPI_Comm* comm);
int Comm_rank(const endpoints::Endpoint& endpoint, MPI_Comm comm, int* rank);
int Comm_size(const endpoints::Endpoint& endpoint, MPI_Comm comm, int* size);

}  // namespace raddle::interpose::on_endpoint
