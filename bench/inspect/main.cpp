// SPDX-License-Identifier: BSD-3-Clause
// raddle-inspect: tells `raddle doctor` facts about the MPI that it is started with (docs/use/doctor.md).
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include "inspect/facts.hpp"
#include "inspect/trial.hpp"
#include "inspect/trials/spawn.hpp"
#include "mpi/about_mpi.hpp"

namespace raddle::inspect {
namespace {

constexpr int usage_error = 2;

constexpr const char* usage =
    "usage: raddle-inspect facts LEVEL THREADS   say what the library is and does, as one line of JSON\n"
    "       raddle-inspect try TRIAL...          try things that some libraries do wrong, two lines of JSON each\n";

/// @returns the thread level provided; `single` is plain MPI_Init, as a program without threads calls it.
int initialise(int& argc, char**& argv, const std::string& level) {
  int provided = MPI_THREAD_SINGLE;
  if (level == "single") {
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&provided);
  } else {
    MPI_Init_thread(&argc, &argv, bench::level_of(level), &provided);
  }
  return provided;
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "facts") {
    int threads = 0;
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), threads);
    if (threads < 1) {
      std::fputs(usage, stderr);
      return usage_error;
    }
    say_facts(words[1], initialise(argc, argv, words[1]), threads);
  } else if (words.size() >= 2 && words[0] == "try") {
    initialise(argc, argv, "multiple");
    set_program(argv[0]);
    run_trials({words.begin() + 1, words.end()});
  } else if (words.size() == 1 && words[0] == child_word) {
    initialise(argc, argv, "multiple");
    answer_parent();
  } else {
    std::fputs(usage, stderr);
    return usage_error;
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace raddle::inspect

int main(int argc, char** argv) { return raddle::inspect::run(argc, argv); }
