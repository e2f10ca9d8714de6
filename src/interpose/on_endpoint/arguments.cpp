// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/arguments.hpp"

#include "endpoints/errors.hpp"
#include "endpoints/status.hpp"

namespace raddle::interpose::on_endpoint {

int finish(const endpoints::Endpoint& endpoint, const endpoints::Result& result, MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE)
    endpoints::write_status(status, result.source, result.tag, result.bytes, result.cancelled);
  return result.error == MPI_SUCCESS ? MPI_SUCCESS : endpoints::raise(endpoint.raises(), result.error);
}

}  // namespace raddle::interpose::on_endpoint
