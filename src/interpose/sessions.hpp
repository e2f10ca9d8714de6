// SPDX-License-Identifier: BSD-3-Clause
// How sessions begin and end. Those of processes are the MPI's, and counted; those of ranks are known by a table
// besides (endpoints/sessions/session.hpp). Templates, since what they call came with MPI-4.0: where mpi.h does not
// declare it, nobody calls these.
#pragma once

#include <mpi.h>

#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/rank.hpp"
#include "endpoints/sessions/session.hpp"
#include "interpose/abi_draft.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::sessions {

/// One more session of this process, or one less.
void begun();
void ended();
[[nodiscard]] bool any_open();

/// The calling thread's rank has one. @param handle  of the MPI's session
template <typename Handle>
void keep(Handle handle, MPI_Errhandler handler) {
  // Intel MPI's MPI_Session_init takes no notice of it.
  platform::regardless(PMPI_Session_set_errhandler(handle, handler));
  const auto raise = [handle](int code) {
    return endpoints::raise_by([&](MPI_Errhandler* handler) { return PMPI_Session_get_errhandler(handle, handler); },
                               [&] { return PMPI_Session_call_errhandler(handle, code); }, code);
  };
  endpoints::insert<endpoints::Kind::session>(handle, *new endpoints::Session(*endpoints::adopted, raise));
}

/// @param init  the MPI's MPI_Session_init
template <typename Init, typename Handle>
int begin(Init init, MPI_Info info, MPI_Errhandler handler, Handle* session) {
  const endpoints::Outcome outcome;
  const int code = init(info, handler, session);
  if (outcome.of(code) != MPI_SUCCESS) return code;
  begun();
#ifdef MPI_ABI_VERSION
  abi_draft::errhandler_back(&handler);  // it was translated for `init`, and keep() calls wrappers
#endif
  if (endpoints::adopted != nullptr) keep(*session, handler);
  return code;
}

/// @param finalize  the MPI's MPI_Session_finalize
template <typename Finalize, typename Handle>
int end(Finalize finalize, Handle* session) {
  // First, since the MPI may give the handle out again at once.
  const Handle handle = session == nullptr ? Handle{} : *session;
  endpoints::Session* const ranks = session == nullptr ? nullptr : endpoints::erase<endpoints::Kind::session>(handle);
  const endpoints::Outcome outcome;
  const int code = finalize(session);
  if (outcome.of(code) == MPI_SUCCESS) {
    ended();
    delete ranks;
  } else if (ranks != nullptr) {
    endpoints::insert<endpoints::Kind::session>(handle, *ranks);
  }
  return code;
}

}  // namespace raddle::interpose::sessions
