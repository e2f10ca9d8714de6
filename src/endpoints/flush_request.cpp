// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/flush_request.hpp"

#include "endpoints/endpoint.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

using platform::must;

FlushRequest::FlushRequest(Endpoint& endpoint, buffered::Account& account, MPI_Request native)
    : Request(nullptr), account_(account.shared_from_this()), before_(account.entered()), native_(native) {
  belong_to(endpoint);
}

FlushRequest::~FlushRequest() { endpoint_->communicator().let_go(); }

void FlushRequest::abandon() {
  if (native_ != MPI_REQUEST_NULL) platform::regardless(PMPI_Request_free(&native_));
  delete this;
}

Ended FlushRequest::ask() const {
  if (native_ != MPI_REQUEST_NULL) {
    int flag = 0;
    must("MPI_Test", PMPI_Test(&native_, &flag, MPI_STATUS_IGNORE));
    if (flag == 0) return Ended::no;
  }
  if (account_->out(before_)) return Ended::well;
  endpoint_->meanwhile();  // messages of any endpoint may be in the buffer
  return account_->out(before_) ? Ended::well : Ended::no;
}

}  // namespace raddle::endpoints
