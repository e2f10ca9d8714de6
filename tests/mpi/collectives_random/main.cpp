// SPDX-License-Identifier: BSD-3-Clause
// collectives_random: random sequences of collective operations, in all forms MPI has of them, with every result
// compared to what a sequential model says. `--seed` repeats the sequence; who is faster is up to the machine.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "../traffic/failure.hpp"
#include "../traffic/random_program.hpp"
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

int level(const Options& options) { return options.endpoints ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED; }

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
  const auto pending = [&] {
    std::string all;
    for (const Rank& rank : ranks) all += "\n  " + rank.pending();
    return all;
  };
  const bench::Watchdog watchdog(options.patience, traffic::give_up(options.seed, pending));
  const auto run = [&](Rank& rank, int thread) {
    const Place& place = places[static_cast<std::size_t>(thread)];
    traffic::run_seated(rank, {place.process, place.thread, place.thread, 0, place.rank, bench::Side::sender, -1});
  };
  traffic::run_all(ranks, run, [&] { traffic::keep_company(meeting); });
  summarise(options, ranks);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  free_operators();
  free_elements();
}

}  // namespace
}  // namespace raddle::collectives

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(argc, argv, collectives::parse, collectives::level, collectives::collectives);
}
