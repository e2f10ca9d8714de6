// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/communicators/processes.hpp"

#include <atomic>
#include <cstddef>
#include <numeric>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/errors.hpp"
#include "node/own_number.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {

std::uint64_t name_of(MPI_Comm processes) {
  if (processes == MPI_COMM_NULL) return 0;
  static std::atomic<std::uint64_t> given{0};
  std::uint64_t name = node::own_number() + given.fetch_add(1, std::memory_order_relaxed);  // that of the first counts
  platform::must("MPI_Bcast", PMPI_Bcast(&name, 1, MPI_UINT64_T, 0, processes));
  return name;
}

MPI_Comm processes_of(const Communicator& parent, const std::vector<int>& processes, int ticket) {
  if (processes.size() <= 1) return MPI_COMM_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  platform::must("MPI_Comm_group", PMPI_Comm_group(parent.processes(), &all));
  platform::must("MPI_Group_incl", PMPI_Group_incl(all, static_cast<int>(processes.size()), processes.data(), &some));
  const int code = PMPI_Comm_create_group(parent.processes(), some, ticket, &made);
  platform::regardless(PMPI_Group_free(&some));
  platform::regardless(PMPI_Group_free(&all));
  if (code != MPI_SUCCESS) throw Failure(no_communicators_left());
  platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
  return made;
}

MPI_Comm processes_of(const Communicator& parent, int ticket) {
  std::vector<int> all(static_cast<std::size_t>(parent.process_count()));
  std::iota(all.begin(), all.end(), 0);
  return processes_of(parent, all, ticket);
}

}  // namespace raddle::endpoints
