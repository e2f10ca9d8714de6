// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication: MPI-4.1 chapter 4. What is done with requests is so on communicators of processes as well.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/partitions.hpp"
#include "endpoints/request.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::Request;

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

}  // namespace raddle::interpose::on_endpoint
