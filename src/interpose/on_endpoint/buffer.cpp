// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "endpoints/errors.hpp"
#include "endpoints/flush_request.hpp"
#include "endpoints/until.hpp"
#include "interpose/on_endpoint.hpp"

namespace raddle::interpose::on_endpoint {

int Comm_attach_buffer(Endpoint& endpoint, void* buffer, MPI_Count size) {
  return endpoint.own_buffer().attach(buffer, size) ? MPI_SUCCESS : endpoints::raise(endpoint.comm, MPI_ERR_BUFFER);
}

void detach_buffer(Endpoint& endpoint, void* address, std::int64_t& size) {
  void*& where = *static_cast<void**>(address);
  progress_until(endpoint, "MPI_Comm_detach_buffer", [&] { return endpoint.own_buffer().detach(where, size); });
}

int Comm_flush_buffer(Endpoint& endpoint) {
  const std::uint64_t before = endpoint.own_buffer().entered();
  progress_until(endpoint, "MPI_Comm_flush_buffer", [&] { return endpoint.own_buffer().out(before); });
  return MPI_SUCCESS;
}

int Comm_iflush_buffer(Endpoint& endpoint, MPI_Request* request) {
  endpoint.communicator().hold();
  *request = std::make_unique<endpoints::FlushRequest>(endpoint, endpoint.own_buffer()).release()->handle();
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
