// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/completion.hpp"
#include "endpoints/completion_result.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles.hpp"
#include "endpoints/polling.hpp"
#include "endpoints/until.hpp"

namespace raddle::endpoints {
namespace {

/// The short way of most, which ask nothing. @returns whether it has been taken
[[gnu::always_inline]] inline bool ended_well(Request& request, MPI_Request& handle, const MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE || !request.ended_well()) return false;
  if (!request.persistent()) handle = MPI_REQUEST_NULL;
  request.retire();
  return true;
}

[[gnu::noinline]] int ended(Request& request, MPI_Request& handle, MPI_Status* status) {
  const MPI_Comm comm = request.comm();  // once it is ended another thread may have the request
  const int code = end(request, handle, status);
  return code == MPI_SUCCESS ? code : raise(comm, code);
}

[[gnu::noinline]] void block(const Request& request) {
  progress_until(*request.mover(), "MPI_Wait", [&] { return request.complete(); });
}

bool startable(const Request& request) { return request.persistent() && !request.active(); }

}  // namespace

int wait(Request& request, MPI_Request& handle, MPI_Status* status) {
  if (!request.active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!request.complete()) block(request);
  return ended_well(request, handle, status) ? MPI_SUCCESS : ended(request, handle, status);
}

int test(Request& request, MPI_Request& handle, int& flag, MPI_Status* status) {
  flag = 1;
  if (!request.active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!request.complete()) request.mover()->progress();
  if (request.complete()) {
    Polling::found();
    return ended_well(request, handle, status) ? MPI_SUCCESS : ended(request, handle, status);
  }
  flag = 0;
  Polling::in_vain(request.mover(), "MPI_Test");
  return MPI_SUCCESS;
}

int look(const Request& request, int& flag, MPI_Status* status) {
  flag = 1;
  if (!request.active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!request.complete()) request.mover()->progress();
  if (!request.complete()) {
    flag = 0;
    Polling::in_vain(request.mover(), "MPI_Request_get_status");
    return MPI_SUCCESS;
  }
  Polling::found();
  const int code = tell(request, status);
  return code == MPI_SUCCESS ? code : raise(request.comm(), code);
}

int cancel(Request& request) {
  if (!request.active()) return raise(request.comm(), MPI_ERR_REQUEST);
  request.cancel();
  return MPI_SUCCESS;
}

int start(Request& request) {
  const int code = startable(request) ? request.start() : MPI_ERR_REQUEST;
  return code == MPI_SUCCESS ? code : raise(request.comm(), code);
}

int start_all(Requests requests) {
  for (MPI_Request& handle : requests) {
    Request* const request = find<Kind::request>(handle);
    const int code = request == nullptr ? PMPI_Start(&handle) : start(*request);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints
