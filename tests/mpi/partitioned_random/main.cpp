// SPDX-License-Identifier: BSD-3-Clause
// partitioned_random: random partitioned sends and receives, several at once between all ranks, checked against what
// MPI promises of each partition in each round. `--seed` repeats who sends what to whom; who is faster is up to the
// machine.
#include <mpi.h>

#include "../traffic/episodes.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "partitioned";

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(
      argc, argv, traffic::parse, [](const traffic::Options&) -> int { return MPI_THREAD_MULTIPLE; },
      traffic::run_episodes<partitioned_random::Rank>);
}
