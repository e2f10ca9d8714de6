// SPDX-License-Identifier: BSD-3-Clause
// A tool that asks MPI_T for less than the program asked MPI for must not take thread safety away (MPI-4.1, 15.3.4).
#include <omp.h>

#include <atomic>

#include "inspect/trial.hpp"
#include "inspect/watchdog.hpp"

namespace raddle::inspect {
namespace {

constexpr int messages = 20000;

void tool_level() {
  int provided = 0;
  check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::atomic<int> wrong{0};
  // Two threads of one process send to each other.
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < messages; ++i) {
      const int sent = 2 * i + me;
      int got = -1;
      MPI_Sendrecv(&sent, 1, MPI_INT, rank, me, &got, 1, MPI_INT, rank, 1 - me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (got != 2 * i + 1 - me) ++wrong;
      still_alive();
    }
  }
  MPI_T_finalize();
  if (wrong != 0) throw Defect(std::to_string(wrong) + " messages between two threads arrived changed");
}

const RegisterTrial registered("tool-level", tool_level);

}  // namespace
}  // namespace raddle::inspect
