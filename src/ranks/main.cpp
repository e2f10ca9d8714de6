// SPDX-License-Identifier: BSD-3-Clause
// raddle-ranks: started by mpiexec in place of a program that was written for processes, it runs the program in several
// threads of each process, and each of them is a rank (docs/endpoints.md, "Threads as ranks").
#include <mpi.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "raddle/raddle.h"
#include "ranks/program.hpp"
#include "ranks/rank_exit.hpp"

namespace {

using raddle::ranks::Main;

/// One rank: the program's own copy, and the words of the command, which it may change.
struct Run {
  Main main = nullptr;
  Raddle_Rank rank = nullptr;
  std::vector<std::string> words;
  int status = 0;
};

void* run(void* given) {
  auto& rank = *static_cast<Run*>(given);
  std::vector<char*> words;
  for (std::string& word : rank.words) words.push_back(word.data());
  words.push_back(nullptr);
  raddle::ranks::status_of_rank = &rank.status;
  Raddle_Rank_adopt(rank.rank);
  rank.status = rank.main(static_cast<int>(rank.words.size()), words.data(), environ) & 0xff;
  return nullptr;
}

int run_all(std::vector<Run>& ranks) {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // As large as the stack of a process is.
  if (stack.rlim_cur != RLIM_INFINITY) pthread_attr_setstacksize(&attributes, stack.rlim_cur);
  std::vector<pthread_t> threads(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (const int code = pthread_create(&threads[i], &attributes, run, &ranks[i]); code != 0) {
      std::fprintf(stderr, "raddle-ranks: no thread for another rank: %s\n",
                   std::generic_category().message(code).c_str());
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  int status = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    pthread_join(threads[i], nullptr);
    if (status == 0) status = ranks[i].status;
  }
  return status;
}

/// @throws std::exception  with what is to be told
std::vector<Run> prepare(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (argc < 3) throw std::invalid_argument("raddle-ranks THREADS PROGRAM [ARGUMENT...]");
  const char* const end = argv[1] + std::strlen(argv[1]);
  int count = 0;
  if (const auto [stop, error] = std::from_chars(argv[1], end, count); error != std::errc() || stop != end || count < 1)
    throw std::invalid_argument(std::string("'") + argv[1] + "' is no number of threads: it has to be 1 or more");
  if (provided < MPI_THREAD_MULTIPLE)
    throw std::invalid_argument("this MPI does not provide MPI_THREAD_MULTIPLE, which ranks that are threads need");
  const raddle::ranks::Program program(argv[2]);
  std::vector<Run> ranks(static_cast<std::size_t>(count));
  for (Run& rank : ranks) {
    rank.main = program.load();
    rank.words.assign(argv + 2, argv + argc);
  }
  return ranks;
}

/// Whether all processes are well. One that is not tells why, the first of them.
bool all_well(const std::string& why) {
  int process = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int first = why.empty() ? processes : process;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == process) std::fprintf(stderr, "raddle-ranks: %s\n", why.c_str());
  return first == processes;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  std::vector<Run> ranks;
  std::string wrong;
  try {
    ranks = prepare(argc, argv);
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  int status = 2;
  if (all_well(wrong)) {
    std::vector<Raddle_Rank> made(ranks.size());
    const int count = static_cast<int>(made.size());
    Raddle_Ranks_create(count, made.data());  // its errors end the job
    Raddle_Ranks_run_programs(count, made.data());
    // From now on errors of the program are raised by the handlers of its ranks alone.
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (std::size_t i = 0; i < made.size(); ++i) ranks[i].rank = made[i];
    status = run_all(ranks);
  }
  MPI_Finalize();
  return status;
}
