// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/errors.hpp"
#include "endpoints/layout.hpp"
#include "endpoints/polling.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/on_endpoint/arguments.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Result;

/// Arguments that no engine has to look at. @returns whether the call has its answer, in `code` and `found`
bool answered(const Endpoint& endpoint, int source, int tag, int& code, Result& found) {
  code = check_receive(endpoint, source, tag);
  if (code != MPI_SUCCESS) {
    code = endpoints::raise(endpoint.comm, code);
    return true;
  }
  found.source = MPI_PROC_NULL;
  return source == MPI_PROC_NULL;
}

void polled(Endpoint& endpoint, bool found, const char* call) {
  if (found)
    endpoints::Polling::found();
  else
    endpoints::Polling::in_vain(&endpoint, call);
}

}  // namespace

int Probe(int source, int tag, Endpoint& endpoint, MPI_Status* status) {
  int code = MPI_SUCCESS;
  Result found;
  if (!answered(endpoint, source, tag, code, found))
    until(endpoint, "MPI_Probe", [&] { return endpoint.probe(source, tag, found); });
  return code == MPI_SUCCESS ? finish(endpoint, found, status) : code;
}

int Iprobe(int source, int tag, Endpoint& endpoint, int* flag, MPI_Status* status) {
  int code = MPI_SUCCESS;
  Result found;
  *flag = answered(endpoint, source, tag, code, found) || endpoint.probe(source, tag, found) ? 1 : 0;
  polled(endpoint, *flag != 0, "MPI_Iprobe");
  return code == MPI_SUCCESS && *flag != 0 ? finish(endpoint, found, status) : code;
}

int Mprobe(int source, int tag, Endpoint& endpoint, MPI_Message* message, MPI_Status* status) {
  int code = MPI_SUCCESS;
  Result found;
  *message = MPI_MESSAGE_NO_PROC;
  if (!answered(endpoint, source, tag, code, found)) {
    Probed* probed = nullptr;
    until(endpoint, "MPI_Mprobe", [&] { return (probed = endpoint.take(source, tag, found)) != nullptr; });
    *message = probed->handle();
  }
  return code == MPI_SUCCESS ? finish(endpoint, found, status) : code;
}

int Improbe(int source, int tag, Endpoint& endpoint, int* flag, MPI_Message* message, MPI_Status* status) {
  int code = MPI_SUCCESS;
  Result found;
  *flag = 1;
  *message = MPI_MESSAGE_NO_PROC;
  if (!answered(endpoint, source, tag, code, found)) {
    Probed* const probed = endpoint.take(source, tag, found);
    *flag = probed != nullptr ? 1 : 0;
    polled(endpoint, *flag != 0, "MPI_Improbe");
    *message = probed != nullptr ? probed->handle() : MPI_MESSAGE_NULL;
  }
  return code == MPI_SUCCESS && *flag != 0 ? finish(endpoint, found, status) : code;
}

int Mrecv(Probed& probed, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  endpoints::Layout room;
  if (const int code = room.describe(buffer, count, type); code != MPI_SUCCESS)
    return endpoints::raise(probed.endpoint().raises(), code);
  Endpoint& endpoint = probed.endpoint();
  *message = MPI_MESSAGE_NULL;
  endpoints::Communicator& communicator = endpoint.communicator();
  communicator.hold();  // with the message nothing else may keep it
  const int code = finish(endpoint, endpoint.receive(room, probed), status);
  communicator.let_go();
  return code;
}

int Imrecv(Probed& probed, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message,
           MPI_Request* request) {
  endpoints::Layout room;
  if (const int code = room.describe(buffer, count, type); code != MPI_SUCCESS)
    return endpoints::raise(probed.endpoint().raises(), code);
  *message = MPI_MESSAGE_NULL;
  *request = probed.endpoint().start_receive(std::move(room), probed).handle();
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
