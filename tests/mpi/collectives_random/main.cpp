// SPDX-License-Identifier: BSD-3-Clause
// collectives_random: random sequences of collective operations, in all forms MPI has of them, with every result
// compared to what a sequential model says. `--seed` repeats the sequence; who is faster is up to the machine.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <exception>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "../traffic/failure.hpp"
#include "base.hpp"
#include "core/text.hpp"
#include "core/watchdog.hpp"
#include "core/whereabouts.hpp"
#include "elements.hpp"
#include "entered.hpp"
#include "forms.hpp"
#include "operators.hpp"
#include "rank.hpp"

const char* const raddle::traffic::program = "collectives";

namespace raddle::collectives {
namespace {

using bench::text;

int asked(int (*question)(MPI_Comm, int*), MPI_Comm comm) {
  int answer = 0;
  question(comm, &answer);
  return answer;
}

/// A rank's thread has a place on the board that tells who waits for what.
void run(Rank& rank, const Place& place) {
  bench::Board::instance().sit({place.process, place.thread, place.thread, 0, place.rank, bench::Side::sender, -1});
  rank.run();
  bench::Board::instance().leave();
}

void run_all(std::deque<Rank>& ranks, const std::vector<Place>& places, Meeting& meeting) {
  if (ranks.empty()) {
    while (!meeting.meet(0, false, [] { std::this_thread::yield(); })) bench::Board::instance().moved();
  } else if (ranks.size() == 1) {
    run(ranks.front(), places.front());
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < ranks.size(); ++i) threads.emplace_back([&, i] { run(ranks[i], places[i]); });
  }
}

void summarise(const Options& options, const std::deque<Rank>& ranks) {
  if (asked(MPI_Comm_rank, MPI_COMM_WORLD) != 0) return;
  std::string missing;
  for (int kind = 0; kind < kinds; ++kind) {
    for (int mode = 0; mode < modes; ++mode) {
      for (const bool large : {false, true}) {
        const Form& one = form(static_cast<Kind>(kind), static_cast<Mode>(mode), large);
        if (!one.call) missing += text(" ", one.name);
      }
    }
  }
  std::map<std::string, std::uint64_t> used;
  for (const Rank& rank : ranks) {
    for (const auto& [call, times] : rank.used()) used[call] += times;
  }
  std::string calls;
  for (const auto& [call, times] : used) calls += text(" ", call, "=", times);
  std::fprintf(stderr, "collectives: the first process called%s\n", calls.c_str());
  if (!missing.empty()) std::fprintf(stderr, "collectives: this mpi.h does not declare%s\n", missing.c_str());
  std::printf("collectives: all well: seed %llu, %d rounds on %d ranks\n",
              static_cast<unsigned long long>(options.seed), ranks.front().rounds(), ranks.front().size());
}

void collectives(const Options& options) {
  make_elements();
  make_operators();
  Entered entered;
  std::vector<MPI_Comm> comms = make_base(options);
  Meeting meeting(std::max(1, static_cast<int>(comms.size())));
  std::deque<Rank> ranks;
  std::vector<Place> places;
  for (const MPI_Comm comm : comms) {
    places.push_back({asked(MPI_Comm_rank, MPI_COMM_WORLD), static_cast<int>(places.size()), asked(MPI_Comm_rank, comm),
                      asked(MPI_Comm_size, comm)});
    ranks.emplace_back(places.back(), comm, options, meeting, entered);
  }
  const bench::Watchdog watchdog(options.patience, [&](const std::string& report) {
    std::string pending;
    for (const Rank& rank : ranks) pending += "\n  " + rank.pending();
    traffic::abandon(text("seed ", options.seed, ": ", report, pending),
                     std::chrono::seconds(2));  // all are about to tell
  });
  run_all(ranks, places, meeting);
  summarise(options, ranks);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  free_operators();
  free_elements();
}

}  // namespace
}  // namespace raddle::collectives

int main(int argc, char** argv) {
  using namespace raddle;
  try {
    const collectives::Options options = collectives::parse(argc, argv);
    const int wanted = options.endpoints ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided < wanted) traffic::abandon("this MPI does not provide the thread level that this needs");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    collectives::collectives(options);
    MPI_Finalize();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "collectives: %s\n", error.what());
    return 2;
  }
}
