// SPDX-License-Identifier: BSD-3-Clause
// The short way of messages, which most take: a few bytes in one piece, of elements that MPI has named, to and from
// peers of the same node. It is compiled into the functions of MPI, since every call on it costs a fifth of what it
// does, and it knows the one engine that has such a way. It throws nothing and raises nothing: where anything is in its
// way, wrong arguments among it, the call goes the way of all, by a jump with all of its arguments as they are.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "engines/direct/direct_endpoint.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::Request;

/// Whether 0 <= number <= most, in one comparison.
inline bool up_to(int number, int most) { return static_cast<unsigned>(number) <= static_cast<unsigned>(most); }
/// Whether 0 <= number < end, in one comparison.
inline bool below(int number, int end) { return static_cast<unsigned>(number) < static_cast<unsigned>(end); }

// The way of all (send.cpp, receive.cpp).
int send_any(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint);
int isend_any(const void* buffer, MPI_Count count, MPI_Datatype type, int to, int tag, Endpoint& endpoint,
              MPI_Request* request);
int irecv_any(void* buffer, MPI_Count count, MPI_Datatype type, int source, int tag, Endpoint& endpoint,
              MPI_Request* request);

namespace short_way {

/// @param bytes  meaningless if the count is negative
/// @returns whether the arguments describe bytes in one piece, without a look at the count
template <typename Count>
[[gnu::always_inline]] inline bool in_one_piece(const void* buffer, Count count, MPI_Datatype type,
                                                std::size_t& bytes) {
  const std::size_t size = endpoints::named_sizes.find(endpoints::bits(type));
  if (size == 0 || buffer == nullptr) [[unlikely]]
    return false;
  bytes = size * static_cast<std::size_t>(count);
  return true;
}

/// @returns whether the message is sent
template <typename Count>
[[gnu::always_inline]] inline bool send(const void* buffer, Count count, MPI_Datatype type, int to, int tag,
                                        Endpoint& endpoint) {
  constexpr std::make_unsigned_t<Count> most = 64;  // elements, of a byte at least: their length does not overflow
  if (!below(to, endpoint.short_way_to()) || !up_to(tag, endpoint.greatest_tag())) [[unlikely]]
    return false;
  std::size_t bytes = 0;
  if (static_cast<std::make_unsigned_t<Count>>(count) > most || !in_one_piece(buffer, count, type, bytes)) [[unlikely]]
    return false;
  auto& direct = static_cast<direct::DirectEndpoint&>(endpoint);  // no other engine has a short way
  return direct.send_in_a_cell(static_cast<const std::byte*>(buffer), bytes, to, tag);
}

/// From one peer. @returns the request of the receive that has been posted; nullptr: none has
template <typename Count>
[[gnu::always_inline]] inline Request* receive(void* buffer, Count count, MPI_Datatype type, int source, int tag,
                                               Endpoint& endpoint) {
  std::size_t bytes = 0;
  if (!below(source, endpoint.short_way_to()) || count < 0 || !in_one_piece(buffer, count, type, bytes)) [[unlikely]]
    return nullptr;
  if (!up_to(tag, endpoint.greatest_tag())) [[unlikely]] {
    if (tag != MPI_ANY_TAG) return nullptr;
    tag = direct::any;
  }
  auto& direct = static_cast<direct::DirectEndpoint&>(endpoint);
  return direct.post_now(static_cast<std::byte*>(buffer), bytes, {source, tag});
}

}  // namespace short_way

template <typename Count>
[[gnu::always_inline]] inline int Send(const void* buffer, Count count, MPI_Datatype type, int to, int tag,
                                       Endpoint& endpoint) {
  if (short_way::send(buffer, count, type, to, tag, endpoint)) [[likely]]
    return MPI_SUCCESS;
  return send_any(buffer, count, type, to, tag, endpoint);
}

template <typename Count>
[[gnu::always_inline]] inline int Isend(const void* buffer, Count count, MPI_Datatype type, int to, int tag,
                                        Endpoint& endpoint, MPI_Request* request) {
  if (short_way::send(buffer, count, type, to, tag, endpoint)) [[likely]] {
    *request = endpoints::CompleteRequest::sent_handle();
    return MPI_SUCCESS;
  }
  return isend_any(buffer, count, type, to, tag, endpoint, request);
}

template <typename Count>
[[gnu::always_inline]] inline int Irecv(void* buffer, Count count, MPI_Datatype type, int source, int tag,
                                        Endpoint& endpoint, MPI_Request* request) {
  if (const Request* const posted = short_way::receive(buffer, count, type, source, tag, endpoint)) [[likely]] {
    *request = posted->handle();
    return MPI_SUCCESS;
  }
  return irecv_any(buffer, count, type, source, tag, endpoint, request);
}

}  // namespace raddle::interpose::on_endpoint
