// SPDX-License-Identifier: BSD-3-Clause
// traffic: random messages in all ways MPI has to send, receive and complete, checked against what MPI promises:
// content, status, order and that nothing is lost, doubled or left. `--seed` repeats the messages; who is faster is up
// to the machine.
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

#include "communicators.hpp"
#include "context.hpp"
#include "core/text.hpp"
#include "core/watchdog.hpp"
#include "core/whereabouts.hpp"
#include "failure.hpp"
#include "options.hpp"

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

/// A context's thread has a place on the board that tells who waits for what.
void run(Context& context, int process, int thread) {
  const Place& place = context.place();
  bench::Board::instance().sit({process, thread, thread, place.universe, place.rank, bench::Side::sender, -1});
  context.run();
  bench::Board::instance().leave();
}

void run_all(std::deque<Context>& contexts, Meeting& meeting) {
  const int process = asked(MPI_Comm_rank, MPI_COMM_WORLD);
  const auto idle = [] { std::this_thread::yield(); };
  if (contexts.empty()) {
    do {
      meeting.meet(0, false, idle);  // before anybody sends
      bench::Board::instance().moved();
    } while (!meeting.meet(0, false, idle));
  } else if (contexts.size() == 1) {
    run(contexts.front(), process, 0);
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < contexts.size(); ++t)
      threads.emplace_back([&, t] { run(contexts[t], process, static_cast<int>(t)); });
  }
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

void traffic(const Options& options) {
  const bench::Watchdog watchdog(options.patience, [&](const std::string& report) {
    abandon(text("seed ", options.seed, ": ", report), std::chrono::seconds(2));  // all processes are about to tell
  });
  std::vector<MPI_Comm> comms = make_communicators(options);
  Meeting meeting(std::max(1, static_cast<int>(comms.size()) * options.sharing));
  std::deque<Context> contexts = make_contexts(options, comms, meeting);
  run_all(contexts, meeting);
  summarise(options, contexts);
  free_communicators(comms);
}

}  // namespace
}  // namespace raddle::traffic

int main(int argc, char** argv) {
  using namespace raddle::traffic;
  try {
    const Options options = parse(argc, argv);
    const bool threaded = options.threads || options.sharing > 1;
    const int wanted = threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided < wanted) abandon("this MPI does not provide the thread level that this needs");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    traffic(options);
    MPI_Finalize();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "traffic: %s\n", error.what());
    return 2;
  }
}
