// SPDX-License-Identifier: BSD-3-Clause
// partitioned_random: random partitioned sends and receives, several at once between all ranks, checked against what
// MPI promises of each partition in each round. `--seed` repeats who sends what to whom; who is faster is up to the
// machine.
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
#include "mpi/partitioned_names.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "partitioned";

namespace raddle::partitioned_random {
namespace {

using bench::text;

/// A rank's thread has a place on the board that tells who waits for what.
void run(Rank& rank) {
  const Place& place = rank.place();
  const int process = testing::rank_in(MPI_COMM_WORLD);
  bench::Board::instance().sit({process, place.thread, place.thread, 0, place.rank, bench::Side::sender, -1});
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

void partitioned(const traffic::Options& options) {
  std::vector<MPI_Comm> comms = traffic::make_communicators(options);
  traffic::Meeting meeting(std::max(1, static_cast<int>(comms.size())));
  std::deque<Rank> ranks;
  for (const MPI_Comm comm : comms) {
    if (testing::attach(comm) != MPI_SUCCESS) traffic::abandon("a communicator cannot be attached");
    const Place place{comm, testing::rank_in(comm), testing::size_of(comm), static_cast<int>(ranks.size())};
    ranks.emplace_back(place, options, meeting);
  }
  const bench::Watchdog watchdog(options.patience, [&](const std::string& report) {
    traffic::abandon(text("seed ", options.seed, ": ", report), std::chrono::seconds(2));  // all are about to tell
  });
  run_all(ranks, meeting);
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
  try {
    const traffic::Options options = traffic::parse(argc, argv);
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) traffic::abandon("this MPI does not provide the thread level that this needs");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    partitioned_random::partitioned(options);
    MPI_Finalize();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "partitioned: %s\n", error.what());
    return 2;
  }
}
