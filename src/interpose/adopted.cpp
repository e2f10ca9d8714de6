// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/adopted.hpp"

#include <mpi.h>

#include <cstdlib>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "interpose/on_endpoint.hpp"
#include "platform/ending.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"

namespace raddle::interpose::adopted {
using endpoints::Rank;

int raise(const Rank& rank, int code) {
  if (rank.self != nullptr) return endpoints::raise(endpoints::without_communicator(), code);
  const endpoints::AsProcess process;
  return endpoints::raise(endpoints::without_communicator(), code);
}

void end_the_job(const std::string& call) {
  const platform::Ending ending;
  platform::last_words("raddle: " + call +
                       " is called by a rank before its MPI_Init or after its MPI_Finalize. Ending the job.\n");
  const endpoints::AsProcess process;
  platform::regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
  std::abort();  // some MPIs let it return
}

int initialize() {
  Rank& rank = *endpoints::adopted;
  if (!rank.initialized.exchange(true)) {
    rank.main_thread = std::this_thread::get_id();
    if (rank.world_to_be != nullptr) {
      rank.world = std::exchange(rank.world_to_be, nullptr);
      rank.self = std::exchange(rank.self_to_be, nullptr);
    }
    return MPI_SUCCESS;
  }
  return raise(rank, endpoints::error_with(MPI_ERR_OTHER, "Raddle: this rank has called MPI_Init before"));
}

int finalize() {
  Rank& rank = *endpoints::adopted;
  if (rank.finalized || rank.world_to_be != nullptr) end_the_job("MPI_Finalize");
  // First what programs hang on MPI_COMM_SELF for this moment: MPI is still there for them (MPI-4.1 section 11.2.4).
  for (endpoints::Endpoint** const one : {&rank.self, &rank.world}) {
    if (*one == nullptr) continue;  // the last time something after it has failed
    MPI_Comm comm = (*one)->comm;
    if (const int code = on_endpoint::Comm_free(**one, &comm); code != MPI_SUCCESS) return code;
    *one = nullptr;
  }
  rank.finalized = true;
  return MPI_SUCCESS;
}

int attach(void* buffer, std::int64_t bytes) {
  Rank& rank = *endpoints::adopted;
  return rank.buffer->attach(buffer, bytes) ? MPI_SUCCESS : raise(rank, MPI_ERR_BUFFER);
}

int refuse(const char* function) {
  endpoints::adopted->refused = function;
  return raise(*endpoints::adopted,
               endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                                     std::string("Raddle: ") + function + " is not supported on an endpoint"));
}

}  // namespace raddle::interpose::adopted
