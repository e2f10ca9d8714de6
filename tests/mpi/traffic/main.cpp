// SPDX-License-Identifier: BSD-3-Clause
// traffic: random messages in all ways MPI has to send, receive and complete, checked against what MPI promises:
// content, status, order and that nothing is lost, doubled or left. `--seed` repeats the messages; who is faster is up
// to the machine.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "communicators.hpp"
#include "context.hpp"
#include "core/text.hpp"
#include "core/watchdog.hpp"
#include "core/whereabouts.hpp"
#include "failure.hpp"
#include "options.hpp"
#include "random_program.hpp"

namespace raddle::traffic {

const char* const program = "traffic";

namespace {

using bench::text;

int asked(int (*question)(MPI_Comm, int*), MPI_Comm comm) {
  int answer = 0;
  question(comm, &answer);
  return answer;
}

std::deque<Context> make_contexts(const Options& options, const std::vector<MPI_Comm>& comms, Meeting& meeting) {
  std::deque<Context> contexts;
  const int process = asked(MPI_Comm_rank, MPI_COMM_WORLD);
  int thread = 0;
  for (std::size_t c = 0; c < comms.size(); ++c) {
    const bool own_world = options.threads && !options.endpoints;
    for (int sharer = 0; sharer < options.sharing; ++sharer) {
      const int universe = (own_world ? static_cast<int>(c) * options.sharing : 0) + sharer;
      const Place place{comms[c], asked(MPI_Comm_rank, comms[c]), process, thread++, universe, options.sharing > 1};
      const Traffic traffic{mix({options.seed, static_cast<std::uint64_t>(universe)}), asked(MPI_Comm_size, comms[c]),
                            sharer * tags_apart, !options.threads && options.sharing == 1, options.spare};
      contexts.emplace_back(place, traffic, Limits{options.seed, options.messages, options.seconds}, meeting);
    }
  }
  return contexts;
}

void summarise(const Options& options, const std::deque<Context>& contexts) {
  std::map<std::string, std::uint64_t> used;
  for (const Context& context : contexts) {
    for (const auto& [call, times] : context.used()) used[call] += times;
  }
  std::string calls;
  for (const auto& [call, times] : used) calls += text(" ", call, "=", times);
  if (asked(MPI_Comm_rank, MPI_COMM_WORLD) != 0) return;
  std::fprintf(stderr, "traffic: the first process called%s\n", calls.c_str());
  std::printf("traffic: all well: seed %llu, %llu messages in %d rounds on each communicator\n",
              static_cast<unsigned long long>(options.seed),
              static_cast<unsigned long long>(contexts.front().messages()), contexts.front().rounds());
}

int level(const Options& options) {
  return options.threads || options.sharing > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
}

void traffic(const Options& options) {
  const bench::Watchdog watchdog(options.patience, give_up(options.seed));
  std::vector<MPI_Comm> comms = make_communicators(options);
  Meeting meeting(std::max(1, static_cast<int>(comms.size()) * options.sharing));
  std::deque<Context> contexts = make_contexts(options, comms, meeting);
  const int process = asked(MPI_Comm_rank, MPI_COMM_WORLD);
  const auto run = [&](Context& context, int thread) {
    const Place& place = context.place();
    run_seated(context, {process, thread, thread, place.universe, place.rank, bench::Side::sender, -1});
  };
  run_all(contexts, run, [&] { keep_company(meeting); });
  summarise(options, contexts);
  free_communicators(comms);
}

}  // namespace
}  // namespace raddle::traffic

int main(int argc, char** argv) {
  using namespace raddle;
  return traffic::run_program(argc, argv, traffic::parse, traffic::level, traffic::traffic);
}
