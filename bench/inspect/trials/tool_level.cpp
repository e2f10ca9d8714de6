// SPDX-License-Identifier: BSD-3-Clause
// A tool that asks MPI_T for less than the program asked MPI for must not take thread safety away (MPI-4.1, 15.3.4).
#include <omp.h>

#include <atomic>
#include <string>

#include "inspect/trial.hpp"
#include "inspect/watchdog.hpp"

namespace raddle::inspect {
namespace {

// Open MPI 5 fails within some thousands; others may need seconds for these where another program has the CPUs.
constexpr int most_messages = 200'000;
constexpr double most_seconds = 10.0;

/// What two threads of one process send to each other.
struct NumberedMessage {
  int number;
  int last;  ///< thread 0 says when to end
};

/// Goes on until `wrong` counts a message that is not what the other thread sent.
void exchange(int me, int rank, std::atomic<int>& wrong) {
  const double begun = MPI_Wtime();
  for (int i = 0;; ++i) {
    const bool enough = wrong != 0 || i == most_messages || MPI_Wtime() - begun > most_seconds;
    const NumberedMessage mine{2 * i + me, me == 0 && enough ? 1 : 0};
    NumberedMessage other{-1, 0};
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(&mine, sizeof mine, MPI_BYTE, rank, me, MPI_COMM_WORLD, &sent);
    // Blocking: its request is what Open MPI keeps one of for programs without threads.
    MPI_Recv(&other, sizeof other, MPI_BYTE, rank, 1 - me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    still_alive();
    if (other.number != 2 * i + 1 - me) ++wrong;
    if (mine.last != 0 || other.last != 0) return;
  }
}

void tool_level() {
  int provided = 0;
  check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::atomic<int> wrong{0};
#pragma omp parallel num_threads(2)
  exchange(omp_get_thread_num(), rank, wrong);
  MPI_T_finalize();
  if (wrong != 0) throw Defect(std::to_string(wrong) + " messages between two threads arrived changed");
}

const RegisterTrial registered("tool-level", tool_level);

}  // namespace
}  // namespace raddle::inspect
