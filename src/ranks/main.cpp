// SPDX-License-Identifier: BSD-3-Clause
// raddle-ranks: started by mpiexec in place of a program that was written for processes, it runs the program in several
// threads of each process, and each of them is a rank (docs/endpoints.md, "Threads as ranks").
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#include <charconv>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "platform/must.hpp"
#include "raddle/raddle.h"
#include "ranks/program.hpp"
#include "ranks/rank_exit.hpp"
#include "ranks/stack.hpp"

namespace {

using raddle::platform::must;
using raddle::platform::regardless;
using raddle::ranks::Ending;

/// One rank: the program's own copy, and the words of the command and the environment, which it may change.
struct Run {
  Ending ending;
  Raddle_Rank rank = nullptr;
  std::vector<std::string> words;
  // As main takes them: a library may read them as long as the process lives.
  std::vector<char*> arguments;
  std::vector<char*> environment;
};

void* run(void* given) {
  auto& rank = *static_cast<Run*>(given);
  raddle::ranks::ending = &rank.ending;
  Raddle_Rank_adopt(rank.rank);
  if (setjmp(rank.ending.beginning) == 0) {  // NOLINT(cert-err52-cpp): exit() has to come back without unwinding
    const auto count = static_cast<int>(rank.words.size());
    raddle::ranks::end_rank(rank.ending.program.main(count, rank.arguments.data(), rank.environment.data()));
  }
  return nullptr;
}

int run_all(std::vector<Run>& ranks) {
  std::vector<pthread_t> threads(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    raddle::ranks::give_stack(attributes);
    if (const int code = pthread_create(&threads[i], &attributes, run, &ranks[i]); code != 0) {
      std::fprintf(stderr, "raddle-ranks: no thread for another rank: %s\n",
                   std::generic_category().message(code).c_str());
      regardless(MPI_Abort(MPI_COMM_WORLD, 2));
    }
  }
  int status = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    pthread_join(threads[i], nullptr);
    if (status == 0) status = ranks[i].ending.status;
  }
  return status;
}

/// @throws std::exception  with what is to be told
std::vector<Run> prepare(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  must("MPI_Query_thread", MPI_Query_thread(&provided));
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
    rank.ending.program = program.load();
    rank.words.assign(argv + 2, argv + argc);
    for (std::string& word : rank.words) rank.arguments.push_back(word.data());
    rank.arguments.push_back(nullptr);
    for (char** variable = environ; *variable != nullptr; ++variable) rank.environment.push_back(*variable);
    rank.environment.push_back(nullptr);
  }
  return ranks;
}

/// Numbers them as Raddle_Ranks_create does.
void number(std::vector<Run>& ranks) {
  int first = 0;
  int process = 0;
  const auto own = static_cast<int>(ranks.size());
  must("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &process));
  must("MPI_Exscan", MPI_Exscan(&own, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  if (process == 0) first = 0;  // MPI leaves it open
  for (Run& rank : ranks) rank.ending.rank = first++;
}

/// Whether all processes are well. One that is not tells why, the first of them.
bool all_well(const std::string& why) {
  int process = 0;
  int processes = 0;
  must("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &process));
  must("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &processes));
  int first = why.empty() ? processes : process;
  must("MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  if (first == process) std::fprintf(stderr, "raddle-ranks: %s\n", why.c_str());
  return first == processes;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  must("MPI_Init_thread", MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
  std::vector<Run>& ranks = *new std::vector<Run>;  // stays: words and environment are read while the process ends
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
    must("Raddle_Ranks_create", Raddle_Ranks_create(count, made.data()));
    must("Raddle_Ranks_run_programs", Raddle_Ranks_run_programs(count, made.data()));
    // From now on errors of the program are raised by the handlers of its ranks alone.
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
      must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (std::size_t i = 0; i < made.size(); ++i) ranks[i].rank = made[i];
    number(ranks);
    status = run_all(ranks);
  }
  must("MPI_Finalize", MPI_Finalize());
  return status;
}
