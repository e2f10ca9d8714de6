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

int refuse_null(const Object& object, int function, const char* parameter) {
  return endpoints::raise(object.comm, endpoints::error_with(MPI_ERR_ARG, std::string("Raddle: ") + names[function] +
                                                                              ": the address of " + parameter +
                                                                              " is null"));
}

int refuse_null(const endpoints::Request& request, int function, const char* parameter) {
  return refuse_null(Object{request.comm()}, function, parameter);
}

int refuse_null(const endpoints::Probed& message, int function, const char* parameter) {
  return refuse_null(Object{message.endpoint().raises()}, function, parameter);
}

}  // namespace raddle::interpose
