// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/errors.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "endpoints/late_handle.hpp"
#include "platform/ending.hpp"
#include "platform/mpi_quirks.hpp"

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
  PMPI_Errhandler_free(&handler);
  return ends;
}

}  // namespace

int endpoints_class() {
  static const int made = [] {
    int c = MPI_ERR_OTHER;
    PMPI_Add_error_class(&c);
    PMPI_Add_error_string(c, "Raddle: endpoints could not be provided");
    return c;
  }();
  return made;
}

int endpoints_error(std::string_view what) {
  return error_with(endpoints_class(), "Raddle: endpoints could not be provided: " + std::string(what));
}

int no_communicators_left() { return endpoints_error("the MPI has no communicators left"); }

int error_with(int error_class, std::string_view text) {
  static std::mutex guard;
  // MPIs have few to give. Destructors of the program may ask.
  static auto& codes = *new std::map<std::pair<int, std::string>, int>;
  const std::lock_guard lock(guard);
  const auto [found, fresh] = codes.try_emplace({error_class, std::string(text)}, error_class);
  if (fresh && PMPI_Add_error_code(error_class, &found->second) == MPI_SUCCESS)
    PMPI_Add_error_string(found->second, found->first.second.substr(0, MPI_MAX_ERROR_STRING - 1).c_str());
  return found->second;
}

MPI_Comm without_communicator() { return platform::quirks().raises_on_world ? MPI_COMM_WORLD : MPI_COMM_SELF; }

int raise(MPI_Comm handle, int code) {
  const MPI_Comm comm = late::is(handle) ? late::to_raise_on(handle) : handle;
  if (ends_the_job(comm)) {
    const platform::Ending ending;
    PMPI_Comm_call_errhandler(comm, code);
  } else {
    PMPI_Comm_call_errhandler(comm, code);
  }
  return code;
}

}  // namespace raddle::endpoints
