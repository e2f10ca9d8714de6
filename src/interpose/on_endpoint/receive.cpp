// SPDX-License-Identifier: BSD-3-Clause
// Receives, and probes for messages: MPI-4.1 sections 3.2 and 3.7 to 3.10.
#include <memory>
#include <span>
#include <utility>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "endpoints/requests/polling.hpp"
#include "endpoints/requests/request.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/wrapper.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Layout;
using endpoints::Mode;
using endpoints::raise;
using endpoints::Request;
using endpoints::Result;

constexpr Result from_nobody{.source = MPI_PROC_NULL};

/// Tells the program how a receive ended. @returns the error, raised
int finish(const Endpoint& endpoint, const Result& result, MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE)
    endpoints::write_status(status, result.source, result.tag, result.bytes, result.cancelled);
  return result.error == MPI_SUCCESS ? MPI_SUCCESS : raise(endpoint.raises(), result.error);
}

int describe(const Endpoint& endpoint, void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag,
             Layout& room) {
  int code = check_receive(endpoint, source, tag);
  if (code == MPI_SUCCESS) code = room.describe(buffer, count, type);
  return code == MPI_SUCCESS ? code : raise(endpoint.comm, code);
}

Request& start_receive(Endpoint& endpoint, Layout&& room, int source, int tag) {
  return source == MPI_PROC_NULL ? endpoints::CompleteRequest::received_from_nobody()
                                 : endpoint.start_receive(std::move(room), source, tag);
}

/// Waits for a request that the program does not see.
Result wait(Endpoint& endpoint, Request& request, const char* call) {
  until(endpoint, call, [&] {
    if (!request.complete()) endpoint.progress();
    return request.complete();
  });
  const Result result = request.result();
  request.retire();
  return result;
}

/// Arguments that no engine has to look at. @returns whether the call has its answer, in `code` and `found`
bool answered(const Endpoint& endpoint, int source, int tag, int& code, Result& found) {
  code = check_receive(endpoint, source, tag);
  if (code != MPI_SUCCESS) {
    code = raise(endpoint.comm, code);
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

int Recv(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint,
         MPI_Status* status) try {
  Layout room;
  if (const int code = describe(endpoint, buffer, count, type, source, tag, room); code != MPI_SUCCESS) return code;
  return finish(endpoint, source == MPI_PROC_NULL ? from_nobody : endpoint.receive(room, source, tag), status);
} catch (...) {
  return caught(endpoint.comm);
}

int irecv_any(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint,
              MPI_Request* request) try {
  if (const auto piece = endpoints::in_one_piece(buffer, count, type);
      piece && source != MPI_PROC_NULL && check_receive(endpoint, source, tag) == MPI_SUCCESS) {
    *request = endpoint.start_receive(*piece, source, tag).handle();
    return MPI_SUCCESS;
  }
  Layout room;
  if (const int code = describe(endpoint, buffer, count, type, source, tag, room); code != MPI_SUCCESS) return code;
  *request = start_receive(endpoint, std::move(room), source, tag).handle();
  return MPI_SUCCESS;
} catch (...) {
  return caught(endpoint.comm);
}

int Recv_init(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint,
              MPI_Request* request) {
  Layout room;
  if (const int code = describe(endpoint, buffer, count, type, source, tag, room); code != MPI_SUCCESS) return code;
  *request = endpoint.make_persistent(std::move(room), {source, tag, false, Mode::standard}).handle();
  return MPI_SUCCESS;
}

int Sendrecv(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, void* room_buffer,
             MPI_Count room_count, MPI_Datatype room_type, int source, int receive_tag, Endpoint& endpoint,
             MPI_Status* status) {
  Request* receive = short_way::receive(room_buffer, room_count, room_type, source, receive_tag, endpoint);
  if (receive == nullptr) {
    Layout room;
    const int code = describe(endpoint, room_buffer, room_count, room_type, source, receive_tag, room);
    if (code != MPI_SUCCESS) return code;
    receive = &start_receive(endpoint, std::move(room), source, receive_tag);
  }
  const int code = Send(buffer, count, type, to, send_tag, endpoint);
  if (code != MPI_SUCCESS) {
    receive->cancel();
    wait(endpoint, *receive, "MPI_Sendrecv");
    return code;
  }
  return finish(endpoint, wait(endpoint, *receive, "MPI_Sendrecv"), status);
}

int Sendrecv_replace(void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, int source,
                     int receive_tag, Endpoint& endpoint, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = Isendrecv_replace(buffer, count, type, to, send_tag, source, receive_tag, endpoint, &request);
  if (code != MPI_SUCCESS) return code;
  return finish(endpoint, wait(endpoint, *endpoints::find<endpoints::Kind::request>(request), "MPI_Sendrecv_replace"),
                status);
}

int Isendrecv(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, void* room_buffer,
              MPI_Count room_count, MPI_Datatype room_type, int source, int receive_tag, Endpoint& endpoint,
              MPI_Request* request) {
  Layout room;
  int code = describe(endpoint, room_buffer, room_count, room_type, source, receive_tag, room);
  if (code != MPI_SUCCESS) return code;
  MPI_Request sent = MPI_REQUEST_NULL;
  code = Isend(buffer, count, type, to, send_tag, endpoint, &sent);
  if (code != MPI_SUCCESS) return code;
  Request& send = *endpoints::find<endpoints::Kind::request>(sent);
  Request& receive = start_receive(endpoint, std::move(room), source, receive_tag);
  *request = std::make_unique<endpoints::PairRequest>(endpoint, send, receive).release()->handle();
  return MPI_SUCCESS;
}

int Isendrecv_replace(void* buffer, MPI_Count count, MPI_Datatype type, int to, int send_tag, int source,
                      int receive_tag, Endpoint& endpoint, MPI_Request* request) {
  Layout message;
  int code = check_send(endpoint, to, send_tag);
  if (code == MPI_SUCCESS) code = check_receive(endpoint, source, receive_tag);
  if (code == MPI_SUCCESS) code = message.describe(buffer, count, type);
  if (code != MPI_SUCCESS) return raise(endpoint.comm, code);
  const endpoints::Body& body = message.body();
  if (to != MPI_PROC_NULL &&
      (body.scattered != nullptr || !endpoint.send_now(std::span(body.data, body.bytes), to, send_tag))) {
    const std::shared_ptr<std::byte[]> copy(new std::byte[body.bytes]);
    endpoints::copy_out(body, copy.get());
    endpoint.send_copy(copy, body.bytes, to, send_tag);
  }
  Layout room;
  endpoints::check(room.describe(buffer, count, type));
  *request = start_receive(endpoint, std::move(room), source, receive_tag).handle();
  return MPI_SUCCESS;
}

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
  Layout room;
  if (const int code = room.describe(buffer, count, type); code != MPI_SUCCESS)
    return raise(probed.endpoint().raises(), code);
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
  Layout room;
  if (const int code = room.describe(buffer, count, type); code != MPI_SUCCESS)
    return raise(probed.endpoint().raises(), code);
  *message = MPI_MESSAGE_NULL;
  *request = probed.endpoint().start_receive(std::move(room), probed).handle();
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
