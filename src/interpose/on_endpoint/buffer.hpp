// SPDX-License-Identifier: BSD-3-Clause
// The buffer of MPI_Bsend of one endpoint: MPI-4.1 section 3.6.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "endpoints/endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;

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

}  // namespace raddle::interpose::on_endpoint
