// SPDX-License-Identifier: BSD-3-Clause
// The lanes that endpoints on several nodes share: taken from the pool of their processes, and given back to it.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/errors.hpp"
#include "engines/direct/lanes_network.hpp"
#include "lanes/pool.hpp"
#include "platform/error_texts.hpp"
#include "platform/must.hpp"

namespace raddle::direct {
namespace {

using platform::must;
using platform::text_of;

void check_level(MPI_Comm processes, int most) {
  int provided = MPI_THREAD_SINGLE;
  must("MPI_Query_thread", PMPI_Query_thread(&provided));
  must("MPI_Allreduce", PMPI_Allreduce(MPI_IN_PLACE, &provided, 1, MPI_INT, MPI_MIN, processes));
  if (provided >= MPI_THREAD_MULTIPLE || most <= 1) return;
  throw endpoints::Failure(
      endpoints::endpoints_error("between nodes they need MPI_THREAD_MULTIPLE, and the MPI does not provide it"));
}

}  // namespace

std::shared_ptr<const Lanes> make_lanes(const endpoints::Communicator& communicator) {
  const MPI_Comm processes = communicator.processes();
  int most = 0;
  for (const endpoints::Place& place : communicator.places()) most = std::max(most, place.index + 1);
  check_level(processes, most);
  auto made = std::make_shared<Lanes>();
  made->greatest_tag = endpoints::greatest_tag_of(processes);
  made->places = communicator.places();
  std::vector<MPI_Comm> comms(static_cast<std::size_t>(most), MPI_COMM_NULL);
  try {
    lanes::Pool::of(processes).take(most, MPI_INFO_NULL, true, MPI_ERRORS_ARE_FATAL, comms.data());
  } catch (const endpoints::Failure& failure) {
    throw endpoints::Failure(endpoints::endpoints_error("between nodes each needs a lane. " + text_of(failure.code)));
  }
  made->comms = std::move(comms);
  return made;
}

Lanes::~Lanes() {
  for (const MPI_Comm comm : comms) platform::regardless(lanes::Pool::give_back(comm));
}

}  // namespace raddle::direct
