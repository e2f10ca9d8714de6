// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/on_endpoint/derive_call.hpp"

#include "endpoints/errors.hpp"
#include "endpoints/own_handle.hpp"
#include "platform/errors.hpp"
#include "platform/relied_on.hpp"

namespace raddle::interpose::on_endpoint {

void say(Newcomer& newcomer, int code) {
  newcomer.code = code;
  if (code != MPI_SUCCESS) newcomer.given.error_class = platform::class_of(code);
}

void bring_handle(Newcomer& newcomer, const Endpoint& endpoint) {
  newcomer.handle = endpoints::own_handle(endpoint.comm);
  if (newcomer.handle == MPI_COMM_NULL) say(newcomer, endpoints::endpoints_error("the MPI has no communicators left"));
}

void bring_handle(Newcomer& newcomer, const Endpoint& endpoint, MPI_Info hints) {
  bring_handle(newcomer, endpoint);
  if (newcomer.handle == MPI_COMM_NULL || hints == MPI_INFO_NULL) return;
  if (const int code = PMPI_Comm_set_info(newcomer.handle, hints); code != MPI_SUCCESS) say(newcomer, code);
}

int derive(Endpoint& endpoint, const char* call, const endpoints::CallKey& key, Newcomer& newcomer, MPI_Comm* made) {
  endpoints::derive(endpoint, call, key, newcomer);
  if (!newcomer.member && newcomer.handle != MPI_COMM_NULL) endpoints::free_own_handle(newcomer.handle);
  *made = newcomer.handle;
  const bool heard = newcomer.code == MPI_SUCCESS || newcomer.raised;
  return heard ? newcomer.code : endpoints::raise(endpoint.comm, newcomer.code);
}

int derive(Endpoint& endpoint, const char* call, Newcomer& newcomer, MPI_Comm* made) {
  return platform::relied_on(
      call, [&] { return derive(endpoint, call, endpoints::call_of_all(endpoint.next_call()), newcomer, made); });
}

}  // namespace raddle::interpose::on_endpoint
