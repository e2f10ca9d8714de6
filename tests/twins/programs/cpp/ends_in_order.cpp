// SPDX-License-Identifier: BSD-3-Clause
// What is destroyed at the end: the main thread's own variables before static ones, and those before functions that were
// registered earlier. What another thread has of its own is destroyed with it.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "../twin.h"

namespace {

int rank = -1;
std::atomic<int> line = 0;  // lines are compared in any order

struct Told {
  const char* name;
  ~Told() {
    std::printf("%d: %d. %s is destroyed\n", rank, ++line, name);
    std::fflush(stdout);
  }
};

void registered() { std::printf("%d: %d. atexit\n", rank, ++line); }

thread_local Told own{"a thread's"};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of(MPI_COMM_WORLD);
  std::atexit(registered);
  static Told of_process{"the process's"};
  static thread_local Told second{"the second"};
  std::thread([] { say("%c", own.name[0]); }).join();
  say("%c %c %c", own.name[0], of_process.name[0], second.name[0]);
  MPI_Finalize();
  return 0;
}
