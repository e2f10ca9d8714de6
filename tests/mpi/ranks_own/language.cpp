// SPDX-License-Identifier: BSD-3-Clause
// What the languages keep once for a process, and threads.
#include <pthread.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ranks_own/cases.hpp"
#include "ranks_own/library.hpp"

int program_tsearch(int) { return 7; }

namespace cases {
namespace {

template <typename Type>
struct Counter {
  static Type& value() {
    static Type counted{};
    return counted;
  }
};

inline int in_line = 0;
#ifdef RANKS_OWN_EXECUTABLE
int of_thread = 0;  // where one has a variable of threads it cannot be loaded
#else
thread_local int of_thread = 0;
#endif

/// Made before main, by each rank once.
struct Made {
  Made() { ++made; }
  static inline int made = 0;
} const object;

/// Whether the calling thread is this rank.
bool is_rank(int rank) {
  int own = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  return own == rank;
}

/// Each thread of a rank sends to the one of its number on the next rank.
bool talk(const World& world, int thread) {
  const int to = (world.rank + 1) % world.size;
  const int from = (world.rank + world.size - 1) % world.size;
  const int sent = 10 * world.rank + thread;
  int got = -1;
  MPI_Sendrecv(&sent, 1, MPI_INT, to, thread, &got, 1, MPI_INT, from, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return is_rank(world.rank) && got == 10 * from + thread;
}

}  // namespace

bool unique_variables(const World& world, int, char**) {
  for (int i = 0; i < 1000; ++i) {
    ++Counter<int>::value();
    ++in_line;
    ++shared_with_library<int>();
  }
  world.meet();
  return Counter<int>::value() == 1000 && in_line == 1000 && shared_with_library<int>() == 1000 &&
         library_shares() == 1000;
}

bool thread_variables(const World& world, int, char**) {
  for (int i = 0; i < 1000; ++i) {
    ++of_thread;
    ++library_thread_variable();
  }
  world.meet();
  return of_thread == 1000 && library_thread_variable() == 1000;
}

bool library(const World& world, int, char**) {
  for (int i = 0; i < 1000; ++i) library_count();
  const bool begins = library_variable == -1 && library_sees() == -1;
  library_variable = world.rank;
  world.meet();
  return begins && library_count() == 1001 && library_variable == world.rank && library_sees() == world.rank;
}

bool names(const World& world, int, char**) {
  return library_error(world.rank) == world.rank + 1 && library_names(world.rank) == 100 * (world.rank + 1) + 7;
}

bool constructors(const World&, int, char**) { return Made::made == 1 && library_constructed() == 1; }

bool exceptions(const World& world, int, char**) {
  const std::string own = std::to_string(world.rank);
  try {
    library_throws(own);
  } catch (const std::runtime_error& error) {
    world.meet();
    return error.what() == own;
  }
  return false;
}

bool pthreads(const World& world, int, char**) {
  struct Given {
    const World& world;
    bool good = false;
  } given{world};
  pthread_t thread{};
  pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        auto& mine = *static_cast<Given*>(argument);
        mine.good = talk(mine.world, 1);
        return nullptr;
      },
      &given);
  const bool good = talk(world, 0);
  pthread_join(thread, nullptr);
  return good && given.good;
}

bool standard_threads(const World& world, int, char**) {
  bool good = false;
  int main_too = 1;
  std::thread([&] {
    std::thread([&] { good = talk(world, 3); }).join();  // and those that such a thread starts
    MPI_Is_thread_main(&main_too);
  }).join();
  return good && main_too == 0 && is_rank(world.rank);
}

bool openmp(const World& world, int, char**) {
  int bad = 0;
  for (int region = 0; region < 20; ++region) {  // with threads that are used again
#pragma omp parallel num_threads(2) reduction(+ : bad)
    {
      const int thread = library_thread_number();
      bad += talk(world, thread) ? 0 : 1;
    }
  }
  return bad == 0;
}

bool openmp_critical(const World& world, int, char**) {
  int bad = 0;
  int inside = 0;
#pragma omp parallel num_threads(2) reduction(+ : bad)
  for (int i = 0; i < 20; ++i) {
#pragma omp critical
    {
      bad += inside++;                // of a rank one thread at once
      bad += talk(world, 0) ? 0 : 1;  // whichever thread of the other rank is in its section
      --inside;
    }
  }
  return bad == 0;
}

}  // namespace cases
