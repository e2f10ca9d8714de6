// SPDX-License-Identifier: BSD-3-Clause
// Written for processes: rank 1 ends in the way that is asked for, most of them before MPI_Finalize. What a process
// does at its end is told.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

int rank = -1;

/// As text that a launcher passes on even if the job is ended next.
void say(const char* what) {
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
  std::fflush(stderr);
}

struct Object {
  ~Object() {
    if (rank == 1) say("its object is destroyed");
  }
} object;

/// exit() leaves those of functions alone.
struct Automatic {
  bool ends = true;
  ~Automatic() {
    if (ends) say("WRONG: unwound");
  }
};

void at_exit() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (rank == 1) say(finalized != 0 ? "atexit after MPI_Finalize" : "atexit before MPI_Finalize");
}

void finalize() {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  say("finalized at exit");
}

void at_quick_exit() { say("at_quick_exit"); }

[[gnu::destructor]] void destructor() {
  if (rank == 1) say("its destructor is called");
}

/// Of an array as large as a process could have with the limit of the stack that the test sets.
[[gnu::noinline]] int touch(std::size_t bytes) {
  auto* const array = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 4096) array[i] = 1;
  return array[0];
}

void end(const std::string& way) {
  Automatic automatic;
  if (way == "exit 3") std::exit(3);
  if (way == "exit 0") std::exit(0);
  if (way == "quick_exit 3") std::quick_exit(3);
  if (way == "_exit 3") _exit(3);
  if (way == "_exit 0") _exit(0);
  if (way == "_Exit 3") std::_Exit(3);
  if (way == "abort 7") MPI_Abort(MPI_COMM_WORLD, 7);
  if (way == "abort self 7") MPI_Abort(MPI_COMM_SELF, 7);
  if (way == "signal") {
    std::signal(SIGTERM, SIG_DFL);  // what ranks share: exec names it (test_exec_real.py)
    std::raise(SIGKILL);
  }
  automatic.ends = false;
}

/// Whether children can end as they like.
bool forks() {
  for (const int status : {0, 4}) {
    for (const bool at_once : {false, true}) {
      const pid_t child = fork();
      if (child == 0) {
        if (at_once) _exit(status);
        std::exit(status);
      }
      int ended = -1;
      if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended) || WEXITSTATUS(ended) != status) return false;
    }
  }
  return std::system("exit 5") == 5 << 8;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  if (way == "no MPI, exit 3") std::exit(3);
  if (way == "no MPI, return 3") return 3;
  if (way == "finalizes at exit") std::atexit(finalize);
  std::atexit(at_exit);
  std::at_quick_exit(at_quick_exit);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (way == "stack" && touch(std::size_t{200} << 20U) == 1) say("has its stack");
  if (way == "finalizes at exit") return 0;
  if (rank == 1) {
    if (way == "forks") say(forks() ? "forks well" : "WRONG: forks");
    if (way == "return 3") return 3;
    if (way == "return 0") return 0;
    std::printf("written, ");
    end(way);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 1 && way == "finalize, exit 3") std::exit(3);
  if (rank == 1 && way == "finalize, exit 3 in another thread") std::thread([] { std::exit(3); }).join();
  if (rank == 1 && way == "finalize, return 3") return 3;
  if (rank == 1 && way == "finalize, _exit 3") _exit(3);
  if (rank == 1 && way == "finalize, quick_exit 3") std::quick_exit(3);
  if (rank != 1) usleep(200'000);
  if (way.starts_with("finalize, ")) say("ends after the others");
  return 0;
}
