// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/requests/polling.hpp"
#include "interpose/on_endpoint.hpp"
#include "partitioned/attach.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Failure;
using endpoints::raise;

int Psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
               Endpoint& endpoint, MPI_Info info, MPI_Request* request) {
  try {
    *request = partitioned::make_send(endpoint, buffer, partitions, count, type, to, tag, info).handle();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(endpoint.comm, failure.code);
  }
}

int Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
               Endpoint& endpoint, MPI_Info info, MPI_Request* request) {
  try {
    *request = partitioned::make_receive(endpoint, buffer, partitions, count, type, source, tag, info).handle();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    return raise(endpoint.comm, failure.code);
  }
}

int Pready_range(int low, int high, Request& request) {
  if (low > high) return raise(request.comm(), MPI_ERR_ARG);
  for (int partition = low;; ++partition) {
    const int code = Pready(partition, request);
    if (code != MPI_SUCCESS || partition == high) return code;
  }
}

int Pready_list(int length, const int* partitions, Request& request) {
  if (length < 0) return raise(request.comm(), MPI_ERR_ARG);
  for (int i = 0; i < length; ++i) {
    if (const int code = Pready(partitions[i], request); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int Parrived(Request& request, int partition, int* flag) {
  endpoints::Partitions* const partitions = request.partitions();
  bool arrived = false;
  const int code = partitions == nullptr ? MPI_ERR_REQUEST : partitions->arrived(partition, arrived);
  *flag = arrived ? 1 : 0;
  if (arrived)
    endpoints::Polling::found();
  else
    endpoints::Polling::in_vain(request.mover(), "MPI_Parrived");
  return code == MPI_SUCCESS ? code : raise(request.comm(), code);
}

}  // namespace raddle::interpose::on_endpoint
