// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <string>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose {
namespace {

int code_of(int function) {
  return endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                               std::string("Raddle: ") + names[function] + " is not supported on an endpoint");
}

}  // namespace

int refuse(const Object& object, int function) {
  if (endpoints::adopted != nullptr) endpoints::adopted->refused = names[function];
  return endpoints::raise(object.comm, code_of(function));
}

int refuse(int function) {
  endpoints::Rank& rank = *endpoints::adopted;
  rank.refused = names[function];
  return endpoints::raise(rank.self == nullptr ? MPI_COMM_SELF : rank.self->comm, code_of(function));
}

}  // namespace raddle::interpose
