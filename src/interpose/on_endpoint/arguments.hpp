// SPDX-License-Identifier: BSD-3-Clause
// Arguments of messages, checked once for all functions.
#pragma once

#include <mpi.h>

#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

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
