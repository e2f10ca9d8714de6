// SPDX-License-Identifier: BSD-3-Clause
// sparse_random: random sparse exchanges in all forms, by all algorithms, several at once, checked against a sequential
// model. `--seed` repeats who sends what to whom; who is faster is up to the machine.
#include <mpi.h>

#include "../traffic/episodes.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "sparse";

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(
      argc, argv, traffic::parse, [](const traffic::Options&) -> int { return MPI_THREAD_MULTIPLE; },
      traffic::run_episodes<sparse_random::Rank>);
}
