// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <map>
#include <mutex>
#include <string>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose {
namespace {

/// One code for each function, made when it is first needed: MPIs have few to give.
int code_of(int function) {
  static std::mutex guard;
  static std::map<int, int> codes;
  const std::lock_guard lock(guard);
  if (const auto found = codes.find(function); found != codes.end()) return found->second;
  int code = MPI_ERR_UNSUPPORTED_OPERATION;
  const std::string text = std::string("Raddle: ") + names[function] + " is not supported on an endpoint";
  if (PMPI_Add_error_code(MPI_ERR_UNSUPPORTED_OPERATION, &code) == MPI_SUCCESS)
    PMPI_Add_error_string(code, text.c_str());
  return codes.emplace(function, code).first->second;
}

}  // namespace

int refuse(const Object& object, int function) {
  const int code = code_of(function);
  if (endpoints::adopted != nullptr) endpoints::adopted->refused = names[function];
  PMPI_Comm_call_errhandler(object.comm, code);
  return code;
}

int refuse(int function) {
  endpoints::Rank& rank = *endpoints::adopted;
  rank.refused = names[function];
  return endpoints::raise(rank.self == nullptr ? MPI_COMM_SELF : rank.self->comm, code_of(function));
}

}  // namespace raddle::interpose
