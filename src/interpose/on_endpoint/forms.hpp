// SPDX-License-Identifier: BSD-3-Clause
// The three forms of a collective: blocking, nonblocking, persistent. The functions of MPI are generated
// (src/interpose/generator/collectives.py); each hands on what its arguments mean.
#pragma once

#include <mpi.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/context.hpp"
#include "endpoints/collectives/maker.hpp"
#include "endpoints/collectives/pieces.hpp"
#include "endpoints/communicators/derive.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Endpoint;
using endpoints::collectives::Collective;
using endpoints::collectives::Context;
using endpoints::collectives::Held;
using endpoints::collectives::Maker;
using endpoints::collectives::Numbers;

/// Arguments as a collective of this kind takes them, or what is wrong with them: an MPI error code.
template <typename Described>
struct Checked {
  using Kind = Described;
  int code = MPI_SUCCESS;
  typename Kind::Arguments arguments{};
};

/// Of what collective a function describes the arguments. It is given what keeps datatypes for an operation that lasts,
/// or nullptr.
template <typename Describe>
using KindOf = typename std::invoke_result_t<Describe&, Held*>::Kind;

/// A collective of all ranks.
template <typename Describe>
concept OfAllRanks = std::derived_from<KindOf<Describe>, Collective>;

/// One that an engine may make in Raddle's place.
template <typename Kind>
concept ForMakers = requires(const Maker& maker, const typename Kind::Arguments& arguments) { maker.makes(arguments); };

/// @returns MPI_SUCCESS, or the error that the thread level is too low
inline int check_level(const Endpoint& endpoint) {
  if (endpoint.communicator().collectives().level_suffices()) [[likely]]
    return MPI_SUCCESS;
  return endpoints::error_with(MPI_ERR_OTHER,
                               "Raddle: collectives of several endpoints of each of several processes need "
                               "MPI_THREAD_MULTIPLE, and the MPI does not provide it");
}

/// Whether what is sent lies where what is received goes, and is not nothing. MPI_BOTTOM may be both.
inline bool same_buffer(const void* out, const void* in, MPI_Count count) {
  return out == in && out != nullptr && out != MPI_IN_PLACE && count > 0;
}
inline int same_buffer_error() {
  return endpoints::error_with(MPI_ERR_BUFFER,
                               "Raddle: the send buffer is the receive buffer; MPI_IN_PLACE was not given");
}

/// Until it is complete. @returns its error code, not raised
inline int complete(Endpoint& endpoint, const char* call, Collective& collective) {
  endpoints::collectives::Sequence& sequence = endpoint.collectives();
  const std::uint64_t number = sequence.next(collective);
  return platform::relied_on(call, [&] {
    if (!sequence.any()) [[likely]] {
      until(endpoint, call, [&] {
        if (collective.advance(number)) return true;
        endpoint.progress();
        return false;
      });
      return collective.error();
    }
    sequence.start(collective, number);  // after those that were begun before
    until(endpoint, call, [&] {
      if (collective.complete()) return true;
      endpoint.progress();
      return false;
    });
    return collective.error();
  });
}

/// Who makes this one in Raddle's place; nullptr: nobody.
template <typename Kind>
Maker* maker_of(Endpoint& endpoint, const Checked<Kind>& checked) {
  Maker* const maker = endpoint.maker();
  return maker != nullptr && checked.code == MPI_SUCCESS && maker->makes(checked.arguments) ? maker : nullptr;
}

/// Blocking, by its maker.
template <typename Arguments>
int run_by(Maker& maker, Endpoint& endpoint, const char* call, const Arguments& arguments) {
  endpoints::Request* request = nullptr;
  int code = maker.make(arguments, nullptr, Maker::Lasts::once, request);
  if (code == MPI_SUCCESS) {
    platform::relied_on(call, [&] {
      until(endpoint, call, [&] {
        endpoint.progress();
        return request->complete();
      });
    });
    code = request->result().error;
    request->retire();
  }
  return code == MPI_SUCCESS ? code : endpoints::raise(endpoint.comm, code);
}

template <typename Arguments>
int start_by(Maker& maker, const Endpoint& endpoint, MPI_Request* request, const Arguments& arguments,
             std::unique_ptr<Held> held, Maker::Lasts lasts) {
  endpoints::Request* made = nullptr;
  const int code = maker.make(arguments, std::move(held), lasts, made);
  if (code != MPI_SUCCESS) return endpoints::raise(endpoint.comm, code);
  *request = made->handle();
  return MPI_SUCCESS;
}

/// Blocking.
template <OfAllRanks Describe>
int run(Endpoint& endpoint, const char* call, Describe&& describe) {
  auto checked = describe(nullptr);
  if constexpr (ForMakers<KindOf<Describe>>) {
    if (Maker* const maker = maker_of(endpoint, checked)) [[unlikely]]
      return run_by(*maker, endpoint, call, checked.arguments);
  }
  int code = checked.code == MPI_SUCCESS ? check_level(endpoint) : checked.code;
  if (code == MPI_SUCCESS) {
    KindOf<Describe> collective(endpoint.communicator().collectives(), endpoint.rank(), std::move(checked.arguments));
    code = collective.bring();
    if (code == MPI_SUCCESS) code = complete(endpoint, call, collective);
  }
  return code == MPI_SUCCESS ? code : endpoints::raise(endpoint.comm, code);
}

/// Blocking, on an intercommunicator: what is described needs memory, though it does not last.
template <OfAllRanks Describe>
int run_between(Endpoint& endpoint, const char* call, Describe&& describe) {
  Held held;
  return run(endpoint, call, [&](Held*) { return describe(&held); });
}

/// Nonblocking.
template <OfAllRanks Describe>
int start(Endpoint& endpoint, MPI_Request* request, Describe&& describe, std::shared_ptr<Context> own = nullptr) {
  auto held = std::make_unique<Held>();
  auto checked = describe(held.get());
  if constexpr (ForMakers<KindOf<Describe>>) {
    if (Maker* const maker = own ? nullptr : maker_of(endpoint, checked)) [[unlikely]]
      return start_by(*maker, endpoint, request, checked.arguments, std::move(held), Maker::Lasts::once);
  }
  int code = checked.code == MPI_SUCCESS ? check_level(endpoint) : checked.code;
  if (code == MPI_SUCCESS) {
    Context& context = own ? *own : endpoint.communicator().collectives();
    auto collective = std::make_unique<KindOf<Describe>>(context, endpoint.rank(), std::move(checked.arguments));
    code = collective->bring();
    if (code == MPI_SUCCESS) {
      // Ends itself when the program has been told of its end.
      *request = (new endpoints::collectives::CollectiveRequest(endpoint, std::move(held), std::move(collective),
                                                                std::move(own)))
                     ->handle();
    }
  }
  return code == MPI_SUCCESS ? code : endpoints::raise(endpoint.comm, code);
}

/// Persistent.
template <OfAllRanks Describe>
int init(Endpoint& endpoint, const char* call, MPI_Request* request, Describe&& describe) {
  if constexpr (ForMakers<KindOf<Describe>>) {
    if (endpoint.maker() != nullptr) [[unlikely]] {
      auto held = std::make_unique<Held>();
      const auto checked = describe(held.get());
      if (checked.code != MPI_SUCCESS) return endpoints::raise(endpoint.comm, checked.code);
      if (Maker* const maker = maker_of(endpoint, checked))
        return start_by(*maker, endpoint, request, checked.arguments, std::move(held), Maker::Lasts::until_freed);
    }
  }
  if (const int code = check_level(endpoint); code != MPI_SUCCESS) return endpoints::raise(endpoint.comm, code);
  try {
    // It may be started before or after others (section 6.13).
    std::shared_ptr<Context> own = endpoints::derive_context(endpoint, call);
    return platform::relied_on(
        call, [&] { return start(endpoint, request, std::forward<Describe>(describe), std::move(own)); });
  } catch (const endpoints::Failure& failure) {
    return endpoints::raise(endpoint.comm, failure.code);
  }
}

}  // namespace raddle::interpose::on_endpoint
