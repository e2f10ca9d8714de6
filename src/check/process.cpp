// SPDX-License-Identifier: BSD-3-Clause
#include "check/process.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "check/collectives.hpp"
#include "check/findings.hpp"
#include "check/names.hpp"
#include "check/requests.hpp"
#include "profile/next.hpp"
#include "raddle/raddle.h"

namespace raddle::check {
namespace {

pid_t owner = 0;

/// The first of these variables that is there, as a number.
int number_in(std::initializer_list<const char*> variables, int otherwise) {
  for (const char* const name : variables) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before main
    if (value != nullptr) return static_cast<int>(std::strtol(value, nullptr, 10));
  }
  return otherwise;
}

// A child of fork() is another process, and may not call the MPI of its parent.
void in_child() { on = false; }

// After the next functions are found, and before the program's own constructors.
[[gnu::constructor(102)]] void start() {
  const char* const directory = std::getenv("_RADDLE_CHECK");  // NOLINT(concurrency-mt-unsafe): before main
  if (directory == nullptr || *directory == '\0') return;
  if (std::strcmp(program_invocation_short_name, "raddle-proxy") == 0) return;  // none of the program's processes
  process.rank = number_in({"PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}, 0);
  owner = getpid();
  write_into(directory);
  pthread_atfork(nullptr, nullptr, in_child);
  on = true;
}

int level_of(int of_the_mpi) {
  if (of_the_mpi == MPI_THREAD_MULTIPLE) return 3;
  if (of_the_mpi == MPI_THREAD_SERIALIZED) return 2;
  return of_the_mpi == MPI_THREAD_FUNNELED ? 1 : 0;
}

void tell_process() {
  if (process.told) return;
  process.told = true;
  char host[HOST_NAME_MAX + 1] = "";
  gethostname(host, sizeof host - 1);
  write_line(R"({"record":"process","rank":)" + std::to_string(process.rank) + R"(,"pid":)" + std::to_string(getpid()) +
             R"(,"host":)" + quoted(host) + R"(,"level":)" + std::to_string(process.level) + "}");
}

int provided() {
  int level = MPI_THREAD_MULTIPLE;
  profile::mpi.query_thread(&level);
  return level_of(level);
}

}  // namespace

void begun() {
  if (!on) return;
  int rank = 0;
  profile::mpi.comm_rank(MPI_COMM_WORLD, &rank);
  const int level = provided();
  first_communicator();
  const int thread = me().index;
  const std::lock_guard alone(lock());
  process.rank = rank;
  process.level = level;
  process.main_thread = thread;
  process.phase = Phase::between;
  tell_process();
}

void session() {
  const std::lock_guard alone(lock());
  process.sessions = true;
  process.level = 3;
  tell_process();
}

bool has_begun() {
  static const auto initialized = RADDLE_MPI(MPI_Initialized);
  static const auto is_over = RADDLE_MPI(MPI_Finalized);
  int flag = 1;
  int over = 0;
  if (initialized == nullptr || initialized(&flag) != MPI_SUCCESS || flag == 0) return false;
  if (is_over != nullptr && is_over(&over) == MPI_SUCCESS && over != 0) return true;
  const int level = provided();
  const std::lock_guard alone(lock());
  if (process.phase != Phase::before) return true;
  process.level = level;
  process.phase = Phase::between;
  tell_process();
  return true;
}

void finalized() {
  if (!on) return;
  const std::lock_guard alone(lock());
  if (process.phase == Phase::after) return;
  process.phase = Phase::after;
  tell_left_requests();
  tell_left_communicators();
  tell_left_datatypes();
  tell_order();
  write_line(R"({"record":"finalized"})");
}

void give_up() {
  if (!on.exchange(false)) return;
  const std::lock_guard alone(lock());
  tell_process();
  write_line(R"({"record":"ranks"})");
}

void any_level() {
  const std::lock_guard alone(lock());
  process.level = 3;
}

namespace {

[[gnu::destructor]] void ended() {
  if (owner != getpid() || !on) return;
  const std::lock_guard alone(lock());
  write_counts();
}

}  // namespace

}  // namespace raddle::check

extern "C" {

[[gnu::visibility("default")]] int Raddle_Ranks_create(int count, Raddle_Rank ranks[]) {
  const auto real = reinterpret_cast<decltype(&Raddle_Ranks_create)>(dlsym(RTLD_NEXT, __func__));
  if (real == nullptr) std::abort();
  raddle::check::give_up();
  return real(count, ranks);
}

// libraddle sees to the level that its endpoints need, whatever the program has asked for.
[[gnu::visibility("default")]] int MPIX_Comm_create_endpoints(MPI_Comm parent, int count, MPI_Info info,
                                                              MPI_Comm newcomm[]) {
  const auto real = reinterpret_cast<decltype(&MPIX_Comm_create_endpoints)>(dlsym(RTLD_NEXT, __func__));
  if (real == nullptr) {
    std::fprintf(stderr, "raddle: %s is called, and libraddle is not in this process\n", __func__);
    std::abort();
  }
  raddle::check::any_level();
  return real(parent, count, info, newcomm);
}

}  // extern "C"
