// SPDX-License-Identifier: BSD-3-Clause
// windows_random: random operations on windows of all flavors in epochs of all kinds, checked against what MPI promises
// of each cell. `--seed` repeats who does what; who is faster is up to the machine.
#include <mpi.h>

#include "../traffic/episodes.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "windows";

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(
      argc, argv, traffic::parse,
      [](const traffic::Options& options) -> int {
        return options.endpoints ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
      },
      traffic::run_episodes<windows_random::Rank>);
}
