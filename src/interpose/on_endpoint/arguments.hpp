// SPDX-License-Identifier: BSD-3-Clause
// Arguments of messages, checked once for all functions.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"
#include "endpoints/until.hpp"

namespace raddle::interpose::on_endpoint {

/// @returns MPI_SUCCESS, MPI_ERR_RANK or MPI_ERR_TAG
inline int check_send(const endpoints::Endpoint& endpoint, int to, int tag) {
  if ((to < 0 || to >= endpoint.size()) && to != MPI_PROC_NULL) [[unlikely]]
    return MPI_ERR_RANK;
  if (tag < 0 || tag > endpoint.greatest_tag()) [[unlikely]]
    return MPI_ERR_TAG;
  return MPI_SUCCESS;
}

inline int check_receive(const endpoints::Endpoint& endpoint, int source, int tag) {
  if ((source < 0 || source >= endpoint.size()) && source != MPI_PROC_NULL && source != MPI_ANY_SOURCE) [[unlikely]]
    return MPI_ERR_RANK;
  if ((tag < 0 || tag > endpoint.greatest_tag()) && tag != MPI_ANY_TAG) [[unlikely]]
    return MPI_ERR_TAG;
  return MPI_SUCCESS;
}

/// Tells the program how a receive ended. @returns the error, raised
int finish(const endpoints::Endpoint& endpoint, const endpoints::Result& result, MPI_Status* status);

}  // namespace raddle::interpose::on_endpoint
