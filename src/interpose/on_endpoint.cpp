// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint.hpp"

namespace raddle::interpose::on_endpoint {

int Comm_free(endpoints::Endpoint&, MPI_Comm* comm) {
  // First, since the MPI may give the handle out again at once. The endpoint's owner hears of its end by an attribute.
  endpoints::erase<endpoints::Kind::communicator>(*comm);
  return PMPI_Comm_free(comm);
}

int Comm_rank(const endpoints::Endpoint& endpoint, MPI_Comm, int* rank) {
  *rank = endpoint.rank;
  return MPI_SUCCESS;
}

int Comm_size(const endpoints::Endpoint& endpoint, MPI_Comm, int* size) {
  *size = endpoint.size;
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
