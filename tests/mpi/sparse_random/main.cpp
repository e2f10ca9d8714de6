// SPDX-License-Identifier: BSD-3-Clause
// sparse_random: random sparse exchanges in all forms, by all algorithms, several at once, checked against a sequential
// model. `--seed` repeats who sends what to whom; who is faster is up to the machine.
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
#include "rank.hpp"

const char* const raddle::traffic::program = "sparse";

namespace raddle::sparse_random {
namespace {

void run(Rank& rank, int thread) {
  const int process = testing::rank_in(MPI_COMM_WORLD);
  traffic::run_seated(rank, {process, thread, thread, 0, rank.place().rank, bench::Side::sender, -1});
}

void exchange(const traffic::Options& options) {
  std::vector<MPI_Comm> comms = traffic::make_communicators(options);
  traffic::Meeting meeting(std::max(1, static_cast<int>(comms.size())));
  std::deque<Rank> ranks;
  for (const MPI_Comm comm : comms) {
    ranks.emplace_back(testing::Place(comm), static_cast<int>(ranks.size()), options, meeting);
  }
  const bench::Watchdog watchdog(options.patience, traffic::give_up(options.seed));
  traffic::run_all(ranks, run, [&] { traffic::keep_company(meeting); });
  if (testing::rank_in(MPI_COMM_WORLD) == 0) {
    std::printf("sparse: all well: seed %llu, %d episodes, %llu exchanges of rank 0\n",
                static_cast<unsigned long long>(options.seed), ranks.front().episodes(),
                static_cast<unsigned long long>(ranks.front().judged()));
  }
  traffic::free_communicators(comms);
}

}  // namespace
}  // namespace raddle::sparse_random

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(
      argc, argv, traffic::parse, [](const traffic::Options&) -> int { return MPI_THREAD_MULTIPLE; },
      sparse_random::exchange);
}
