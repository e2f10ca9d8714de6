// SPDX-License-Identifier: BSD-3-Clause
#include "communicators.hpp"

#include "failure.hpp"

// Linked without libraddle, there are no endpoints.
extern "C" __attribute__((weak)) int MPIX_Comm_create_endpoints(MPI_Comm parent, int my_num_ep, MPI_Info info,
                                                                MPI_Comm newcomm[]);

namespace raddle::traffic {
namespace {

int endpoints_here(const Options& options) {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  if (!options.uneven || process % 3 == 0) return options.per_process;
  return process % 3 == 1 ? 0 : 1;
}

}  // namespace

std::vector<MPI_Comm> make_communicators(const Options& options) {
  std::vector<MPI_Comm> comms;
  if (options.endpoints) {
    if (MPIX_Comm_create_endpoints == nullptr) abandon("--endpoints, but this program is linked without libraddle");
    comms.resize(static_cast<std::size_t>(endpoints_here(options)), MPI_COMM_NULL);
    if (MPIX_Comm_create_endpoints(MPI_COMM_WORLD, static_cast<int>(comms.size()), MPI_INFO_NULL, comms.data()) !=
        MPI_SUCCESS)
      abandon("MPIX_Comm_create_endpoints failed");
  } else {
    comms.resize(static_cast<std::size_t>(options.threads ? options.per_process : 1));
    for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  }
  for (const MPI_Comm comm : comms) {
    if (!options.default_handlers) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  return comms;
}

void free_communicators(std::vector<MPI_Comm>& communicators) {
  for (MPI_Comm& comm : communicators) MPI_Comm_free(&comm);
}

}  // namespace raddle::traffic
