// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/adopted.hpp"

#include <mpi.h>

#include <string>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "interpose/on_endpoint/communicator.hpp"

namespace raddle::interpose::adopted {
namespace {

using endpoints::Rank;

/// Where errors of no communicator are raised (MPI-4.1 section 9.3).
int raise(const Rank& rank, int code) {
  return endpoints::raise(rank.self == nullptr ? MPI_COMM_SELF : rank.self->comm, code);
}

}  // namespace

int initialize() {
  Rank& rank = *endpoints::adopted;
  if (!rank.initialized.exchange(true)) {
    rank.main_thread = std::this_thread::get_id();
    return MPI_SUCCESS;
  }
  return raise(rank, endpoints::error_with(MPI_ERR_OTHER, "Raddle: this rank has called MPI_Init before"));
}

int finalize() {
  Rank& rank = *endpoints::adopted;
  if (rank.finalized)
    return raise(rank, endpoints::error_with(MPI_ERR_OTHER, "Raddle: this rank has called MPI_Finalize before"));
  // First what programs hang on MPI_COMM_SELF for this moment: MPI is still there for them (MPI-4.1 section 11.2.4).
  for (endpoints::Endpoint** const one : {&rank.self, &rank.world}) {
    if (*one == nullptr) continue;  // the last time something after it has failed
    MPI_Comm comm = (*one)->comm;
    if (const int code = on_endpoint::Comm_free(**one, &comm); code != MPI_SUCCESS) return code;
    *one = nullptr;
  }
  rank.finalized = true;
  return MPI_SUCCESS;
}

int attach(void* buffer, std::int64_t bytes) {
  Rank& rank = *endpoints::adopted;
  return rank.buffer->attach(buffer, bytes) ? MPI_SUCCESS : raise(rank, MPI_ERR_BUFFER);
}

int refuse(const char* function) {
  endpoints::adopted->refused = function;
  return raise(*endpoints::adopted,
               endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                     std::string("Raddle: ") + function + " is not supported on an endpoint"));
}

}  // namespace raddle::interpose::adopted
