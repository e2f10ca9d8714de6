// SPDX-License-Identifier: BSD-3-Clause
// What all programs of random calls have in common: how they begin and end, and in which threads their ranks run.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/text.hpp"
#include "core/whereabouts.hpp"
#include "failure.hpp"
#include "meeting.hpp"

namespace raddle::traffic {

/// Calls `run(one, i)` for each in a thread of its own, for one alone in this one, or `idle()` where there is none.
template <typename Each, typename Run, typename Idle>
void run_all(std::deque<Each>& all, Run run, Idle idle) {
  if (all.empty()) {
    idle();
  } else if (all.size() == 1) {
    run(all.front(), 0);
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < all.size(); ++i) threads.emplace_back([&, i] { run(all[i], static_cast<int>(i)); });
  }
}

/// Runs a rank, whose thread has a place meanwhile on the board that tells who waits for what.
template <typename Rank>
void run_seated(Rank& rank, const bench::Seat& seat) {
  bench::Board::instance().sit(seat);
  rank.run();
  bench::Board::instance().leave();
}

/// What a process without any of the ranks does until all others have ended.
inline void keep_company(Meeting& meeting) {
  while (!meeting.meet(0, false, [] { std::this_thread::yield(); })) bench::Board::instance().moved();
}

/// What a watchdog does: ends the job, and tells what it has found and, behind it, what `more` says.
template <typename More>
auto give_up(std::uint64_t seed, More more) {
  return [seed, more](const std::string& report) {
    abandon(bench::text("seed ", seed, ": ", report, more()), std::chrono::seconds(2));  // all are about to tell
  };
}
inline auto give_up(std::uint64_t seed) {
  return give_up(seed, [] { return ""; });
}

/// The whole of such a program: @returns its exit status.
/// @param level  the thread level that these options need
template <typename Options>
int run_program(int argc, char** argv, Options (*parse)(int, char**),
                std::type_identity_t<int (*)(const Options&)> level, void (*run)(const Options&)) {
  try {
    const Options options = parse(argc, argv);
    const int wanted = level(options);
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided < wanted) abandon("this MPI does not provide the thread level that this needs");
    if (!options.default_handlers) {
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }
    run(options);
    MPI_Finalize();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 2;
  }
}

}  // namespace raddle::traffic
