// SPDX-License-Identifier: BSD-3-Clause
// sparse_random: random sparse exchanges in all forms, by all algorithms, several at once, checked against a sequential
// model. `--seed` repeats who sends what to whom; who is faster is up to the machine.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "../traffic/communicators.hpp"
#include "../traffic/failure.hpp"
#include "core/text.hpp"
#include "core/watchdog.hpp"
#include "core/whereabouts.hpp"
#include "mpi/own_endpoints.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "sparse";

namespace raddle::sparse_random {
namespace {

using bench::text;

/// A rank's thread has a place on the board that tells who waits for what.
void run(Rank& rank) {
  const int process = testing::rank_in(MPI_COMM_WORLD);
  bench::Board::instance().sit({process, rank.thread(), rank.thread(), 0, rank.place().rank, bench::Side::sender, -1});
  rank.run();
  bench::Board::instance().leave();
}

void run_all(std::deque<Rank>& ranks, traffic::Meeting& meeting) {
  if (ranks.empty()) {
    while (!meeting.meet(0, false, [] { std::this_thread::yield(); })) bench::Board::instance().moved();
  } else if (ranks.size() == 1) {
    run(ranks.front());
  } else {
    std::vector<std::jthread> threads;
    for (Rank& rank : ranks) threads.emplace_back([&rank] { run(rank); });
  }
}

void exchange(const traffic::Options& options) {
  std::vector<MPI_Comm> comms = traffic::make_communicators(options);
  traffic::Meeting meeting(std::max(1, static_cast<int>(comms.size())));
  std::deque<Rank> ranks;
  for (const MPI_Comm comm : comms) {
    ranks.emplace_back(testing::Place(comm), static_cast<int>(ranks.size()), options, meeting);
  }
  const bench::Watchdog watchdog(options.patience, [&](const std::string& report) {
    traffic::abandon(text("seed ", options.seed, ": ", report), std::chrono::seconds(2));  // all are about to tell
  });
  run_all(ranks, meeting);
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
  try {
    const traffic::Options options = traffic::parse(argc, argv);
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) traffic::abandon("this MPI does not provide the thread level that this needs");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    sparse_random::exchange(options);
    MPI_Finalize();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sparse: %s\n", error.what());
    return 2;
  }
}
