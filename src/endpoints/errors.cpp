// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/errors.hpp"

#include <string>

#include "endpoints/handles/own_handle.hpp"
#include "platform/last_words.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// Whether an error there does.
bool ends_the_job(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) return false;
  bool ends = handler == MPI_ERRORS_ARE_FATAL;
#ifdef MPI_ERRORS_ABORT
  ends = ends || handler == MPI_ERRORS_ABORT;
#endif
  platform::regardless(PMPI_Errhandler_free(&handler));
  return ends;
}

}  // namespace

int endpoints_class() {
  static const int made = platform::add_error_class("Raddle: endpoints could not be provided");
  return made;
}

int endpoints_error(std::string_view what) {
  return error_with(endpoints_class(), "Raddle: endpoints could not be provided: " + std::string(what));
}

int no_communicators_left() { return endpoints_error("the MPI has no communicators left"); }

MPI_Comm without_communicator() { return platform::quirks().raises_on_world ? MPI_COMM_WORLD : MPI_COMM_SELF; }

int raise(MPI_Comm handle, int code) {
  const MPI_Comm comm = late::is(handle) ? late::to_raise_on(handle) : handle;
  if (ends_the_job(comm)) {
    const platform::Ending ending;
    platform::regardless(PMPI_Comm_call_errhandler(comm, code));
  } else {
    platform::regardless(PMPI_Comm_call_errhandler(comm, code));
  }
  return code;
}

}  // namespace raddle::endpoints
