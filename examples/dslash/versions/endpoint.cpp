// SPDX-License-Identifier: BSD-3-Clause
// Ranks are threads, each an endpoint of its process. What a rank does is what a process does: only the communicator is
// another one.
#include <omp.h>

#include <vector>

#include "dslash/member.hpp"
#include "dslash/versions/team.hpp"
#include "raddle/raddle.h"

namespace dslash {

bool run_endpoint(const Options& options, const Work& work) {
  std::vector<MPI_Comm> endpoints(static_cast<std::size_t>(options.threads));
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, options.threads, MPI_INFO_NULL, endpoints.data());
  bool wrong = false;
#pragma omp parallel num_threads(options.threads) reduction(|| : wrong)
  {
    expect_threads(options.threads);
    RankMember member(endpoints[static_cast<std::size_t>(omp_get_thread_num())]);
    wrong = work(member);
  }
  for (MPI_Comm& endpoint : endpoints) MPI_Comm_free(&endpoint);
  return wrong;
}

}  // namespace dslash
