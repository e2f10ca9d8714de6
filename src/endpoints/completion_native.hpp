// SPDX-License-Identifier: BSD-3-Clause
// The two ways of looking at requests: completion calls end what is complete, MPI_Request_get_status and its relatives
// leave it. And what stands between requests of endpoints in an array: runs of the MPI's own, which it is asked about
// where they lie.
#pragma once

#include <mpi.h>

#include "endpoints/completion.hpp"
#include "endpoints/completion_result.hpp"
#include "endpoints/handles.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

/// Gives the MPI a chance to move messages, and ends nothing. It is not asked for a request: MPICH 5.0.2 takes a
/// persistent one that is complete for inactive then.
inline void let_mpi_progress() {
  int flag = 0;
  const AsProcess process;
  platform::must("MPI_Iprobe", PMPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
}

/// The requests at the front that are not an endpoint's, of which the first is known to be none.
inline Requests native_run(Requests requests) {
  std::size_t length = 1;
  while (length < requests.size() && find<Kind::request>(requests[length]) == nullptr) ++length;
  return requests.first(length);
}

struct Ending {
  static int tell(Request& request, MPI_Request& handle, MPI_Status* status) { return end(request, handle, status); }
  static int all(Requests natives, int& flag, MPI_Status* statuses) {
    return PMPI_Testall(static_cast<int>(natives.size()), natives.data(), &flag, statuses);
  }
  static int any(Requests run, int& index, int& flag, MPI_Status* status) {
    return PMPI_Testany(static_cast<int>(run.size()), run.data(), &index, &flag, status);
  }
  static int some(Requests run, int& outcount, int* indices, MPI_Status* statuses) {
    return PMPI_Testsome(static_cast<int>(run.size()), run.data(), &outcount, indices, statuses);
  }
};

/// Templates, since what they call came with MPI-4.1: where mpi.h does not declare it, nobody calls what calls these.
struct Looking {
  static int tell(Request& request, MPI_Request&, MPI_Status* status) { return endpoints::tell(request, status); }
  template <typename Request>
  static int all(std::span<Request> natives, int& flag, MPI_Status* statuses) {
    const int length = static_cast<int>(natives.size());
    if constexpr (requires { PMPI_Request_get_status_all(length, natives.data(), &flag, statuses); })
      return PMPI_Request_get_status_all(length, natives.data(), &flag, statuses);
    else
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
  template <typename Request>
  static int any(std::span<Request> run, int& index, int& flag, MPI_Status* status) {
    const int length = static_cast<int>(run.size());
    if constexpr (requires { PMPI_Request_get_status_any(length, run.data(), &index, &flag, status); })
      return PMPI_Request_get_status_any(length, run.data(), &index, &flag, status);
    else
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
  template <typename Request>
  static int some(std::span<Request> run, int& outcount, int* indices, MPI_Status* statuses) {
    const int length = static_cast<int>(run.size());
    if constexpr (requires { PMPI_Request_get_status_some(length, run.data(), &outcount, indices, statuses); })
      return PMPI_Request_get_status_some(length, run.data(), &outcount, indices, statuses);
    else
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
};

}  // namespace raddle::endpoints
