// SPDX-License-Identifier: BSD-3-Clause
// partitioned_random: random partitioned sends and receives, several at once between all ranks, checked against what
// MPI promises of each partition in each round. `--seed` repeats who sends what to whom; who is faster is up to the
// machine.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <vector>

#include "../traffic/communicators.hpp"
#include "../traffic/failure.hpp"
#include "../traffic/random_program.hpp"
#include "core/watchdog.hpp"
#include "core/whereabouts.hpp"
#include "mpi/own_endpoints.hpp"
#include "mpi/partitioned_names.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "partitioned";

namespace raddle::partitioned_random {
namespace {

void run(Rank& rank, int thread) {
  const int process = testing::rank_in(MPI_COMM_WORLD);
  traffic::run_seated(rank, {process, thread, thread, 0, rank.place().rank, bench::Side::sender, -1});
}

void partitioned(const traffic::Options& options) {
  std::vector<MPI_Comm> comms = traffic::make_communicators(options);
  traffic::Meeting meeting(std::max(1, static_cast<int>(comms.size())));
  std::deque<Rank> ranks;
  for (const MPI_Comm comm : comms) {
    if (testing::attach(comm) != MPI_SUCCESS) traffic::abandon("a communicator cannot be attached");
    const Place place{comm, testing::rank_in(comm), testing::size_of(comm), static_cast<int>(ranks.size())};
    ranks.emplace_back(place, options, meeting);
  }
  const bench::Watchdog watchdog(options.patience, traffic::give_up(options.seed));
  traffic::run_all(ranks, run, [&] { traffic::keep_company(meeting); });
  if (testing::rank_in(MPI_COMM_WORLD) == 0) {
    std::printf("partitioned: all well: seed %llu, %d episodes, %llu rounds of rank 0\n",
                static_cast<unsigned long long>(options.seed), ranks.front().episodes(),
                static_cast<unsigned long long>(ranks.front().completed()));
  }
  traffic::free_communicators(comms);
}

}  // namespace
}  // namespace raddle::partitioned_random

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(
      argc, argv, traffic::parse, [](const traffic::Options&) -> int { return MPI_THREAD_MULTIPLE; },
      partitioned_random::partitioned);
}
