// SPDX-License-Identifier: BSD-3-Clause
// Sends in all modes, and the buffer of MPI_Bsend of one endpoint: MPI-4.1 sections 3.2, 3.4, 3.6, 3.7 and 3.9.
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/wrapper.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::CompleteRequest;
using endpoints::Layout;
using endpoints::Mode;
using endpoints::raise;

/// Checks all arguments. @returns MPI_SUCCESS, or the error, raised
int describe(const Endpoint& endpoint, const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag,
             Layout& message) {
  int code = check_send(endpoint, to, tag);
  if (code == MPI_SUCCESS) code = message.describe(buffer, count, type);
  return code == MPI_SUCCESS ? code : raise(endpoint.comm, code);
}

/// Whether a message has been sent for good, of which nothing has to be kept.
bool sent_at_once(Endpoint& endpoint, const endpoints::Body& body, int to, int tag, Mode mode) {
  return mode != Mode::synchronous && body.scattered == nullptr &&
         endpoint.send_now(std::span(body.data, body.bytes), to, tag);
}

// The way of all, behind the short one. They have their parameters in the order of MPI_Isend, which ends with a jump.

template <Mode mode>
int send(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint) try {
  Layout message;
  int code = describe(endpoint, buffer, count, type, to, tag, message);
  if (code != MPI_SUCCESS || to == MPI_PROC_NULL || sent_at_once(endpoint, message.body(), to, tag, mode)) return code;
  code = endpoint.send(message, to, tag, mode);
  return code == MPI_SUCCESS ? code : raise(endpoint.comm, code);
} catch (...) {
  return caught(endpoint.comm);
}

template <Mode mode>
int start(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
          MPI_Request* request) try {
  Layout message;
  if (const int code = describe(endpoint, buffer, count, type, to, tag, message); code != MPI_SUCCESS) return code;
  if (to == MPI_PROC_NULL || sent_at_once(endpoint, message.body(), to, tag, mode)) {
    *request = CompleteRequest::sent_handle();
  } else {
    *request = endpoint.start_send(std::move(message), to, tag, mode).handle();
  }
  return MPI_SUCCESS;
} catch (...) {
  return caught(endpoint.comm);
}

int make(Endpoint& endpoint, const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Mode mode,
         MPI_Request* request) {
  Layout message;
  if (const int code = describe(endpoint, buffer, count, type, to, tag, message); code != MPI_SUCCESS) return code;
  *request = endpoint.make_persistent(std::move(message), {to, tag, true, mode}).handle();
  return MPI_SUCCESS;
}

}  // namespace

int send_any(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint) {
  return send<Mode::standard>(buffer, count, type, to, tag, endpoint);
}

int Ssend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint) {
  return send<Mode::synchronous>(buffer, count, type, to, tag, endpoint);
}

int Rsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint) {
  if (short_way::send(buffer, count, type, to, tag, endpoint)) [[likely]]
    return MPI_SUCCESS;
  return send<Mode::ready>(buffer, count, type, to, tag, endpoint);
}

int Bsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint) {
  Layout message;
  const int code = describe(endpoint, buffer, count, type, to, tag, message);
  if (code != MPI_SUCCESS || to == MPI_PROC_NULL) return code;
  const endpoints::Body& body = message.body();
  endpoints::buffered::Account& account = endpoint.buffer();
  // A message that leaves at once takes no room, but most MPIs want it to be there.
  if (!account.may_have(body.bytes) && !platform::quirks().sends_without_buffer)
    return raise(endpoint.comm, MPI_ERR_BUFFER);
  if (sent_at_once(endpoint, body, to, tag, Mode::buffered)) return MPI_SUCCESS;
  std::shared_ptr<std::byte[]> copy = account.room(body.bytes, endpoint);
  if (!copy) return raise(endpoint.comm, MPI_ERR_BUFFER);
  endpoints::copy_out(body, copy.get());
  endpoint.send_copy(std::move(copy), body.bytes, to, tag);
  return MPI_SUCCESS;
}

int isend_any(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
              MPI_Request* request) {
  return start<Mode::standard>(buffer, count, type, to, tag, endpoint, request);
}

int Issend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request) {
  return start<Mode::synchronous>(buffer, count, type, to, tag, endpoint, request);
}

int Irsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request) {
  if (short_way::send(buffer, count, type, to, tag, endpoint)) [[likely]] {
    *request = CompleteRequest::sent_handle();
    return MPI_SUCCESS;
  }
  return start<Mode::ready>(buffer, count, type, to, tag, endpoint, request);
}

int Ibsend(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
           MPI_Request* request) {
  const int code = Bsend(buffer, count, type, to, tag, endpoint);
  if (code == MPI_SUCCESS) *request = CompleteRequest::sent_handle();
  return code;
}

int Send_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
              MPI_Request* request) {
  return make(endpoint, buffer, count, type, to, tag, Mode::standard, request);
}

int Ssend_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
               MPI_Request* request) {
  return make(endpoint, buffer, count, type, to, tag, Mode::synchronous, request);
}

int Rsend_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
               MPI_Request* request) {
  return make(endpoint, buffer, count, type, to, tag, Mode::ready, request);
}

int Bsend_init(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
               MPI_Request* request) {
  return make(endpoint, buffer, count, type, to, tag, Mode::buffered, request);
}

int Comm_attach_buffer(Endpoint& endpoint, void* buffer, MPI_Count size) {
  return endpoint.own_buffer().attach(buffer, size) ? MPI_SUCCESS : raise(endpoint.comm, MPI_ERR_BUFFER);
}

void detach_buffer(Endpoint& endpoint, void* address, std::int64_t& size) {
  void*& where = *static_cast<void**>(address);
  progress_until(endpoint, "MPI_Comm_detach_buffer", [&] { return endpoint.own_buffer().detach(where, size); });
}

int Comm_flush_buffer(Endpoint& endpoint) {
  const std::uint64_t before = endpoint.own_buffer().entered();
  progress_until(endpoint, "MPI_Comm_flush_buffer", [&] { return endpoint.own_buffer().out(before); });
  return MPI_SUCCESS;
}

int Comm_iflush_buffer(Endpoint& endpoint, MPI_Request* request) {
  endpoint.communicator().hold();
  *request = std::make_unique<endpoints::FlushRequest>(endpoint, endpoint.own_buffer()).release()->handle();
  return MPI_SUCCESS;
}

}  // namespace raddle::interpose::on_endpoint
