// SPDX-License-Identifier: BSD-3-Clause
#include "profile/process.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <system_error>

#include "profile/clock.hpp"
#include "profile/communicators.hpp"
#include "profile/cost.hpp"
#include "profile/local.hpp"
#include "profile/locks.hpp"
#include "profile/memory.hpp"
#include "profile/next.hpp"
#include "profile/sampler.hpp"
#include "profile/threads.hpp"
#include "profile/trace.hpp"

namespace raddle::profile {

ProcessArea* process = nullptr;
std::uint64_t between_samples = 1'000'000;

namespace {

constexpr std::size_t name_bytes = 64;
char path[PATH_MAX] = {};

// Calls of MPI_Init and MPI_Finalize: a program that is run by threads has one for each rank.
std::atomic<int> begun{0};
std::atomic<int> finalized_so_far{0};

constexpr std::size_t whole_pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

/// Whether a file may be so long: one that is not ends the process.
bool may_be(std::size_t bytes) {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= bytes;
}

/// A new file of so many bytes, none of which takes room yet. @returns -1: there is none, and has been said
int new_file(const char* directory, std::size_t bytes) {
  if (!may_be(bytes)) {
    std::fprintf(stderr, "raddle: no profile of process %ld: ulimit -f allows no file of %zu bytes\n",
                 static_cast<long>(getpid()), bytes);
    return -1;
  }
  // The number of a process is its again after exec.
  for (int again = 0; again < 1000; ++again) {
    char suffix[16] = "";
    if (again > 0) std::snprintf(suffix, sizeof suffix, "-%d", again);
    const int wide = std::snprintf(path, sizeof path, "%s/%ld%s.prof", directory, static_cast<long>(getpid()), suffix);
    if (wide >= static_cast<int>(sizeof path)) break;
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
    const int why = errno;
    if (file >= 0) {
      unlink(path);
      close(file);
    }
    errno = why;
    break;
  }
  std::fprintf(stderr, "raddle: no profile of process %ld: cannot write in _RADDLE_PROFILE=%s: %s\n",
               static_cast<long>(getpid()), directory, std::generic_category().message(errno).c_str());
  path[0] = '\0';
  return -1;
}

void first_line(const char* name, char* into, std::size_t room) {
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t got = read(file, into, room - 1);
  close(file);
  into[got > 0 ? got : 0] = '\0';
  into[std::strcspn(into, "\n")] = '\0';
}

int cpus() {
  static cpu_set_t all[16];  // some machines have more than 1024
  CPU_ZERO_S(sizeof all, all);
  return sched_getaffinity(0, sizeof all, all) == 0 ? CPU_COUNT_S(sizeof all, all) : 0;
}

int level(int of_the_mpi) {
  if (of_the_mpi == MPI_THREAD_MULTIPLE) return 3;
  if (of_the_mpi == MPI_THREAD_SERIALIZED) return 2;
  return of_the_mpi == MPI_THREAD_FUNNELED ? 1 : 0;
}

// What a child of fork() would write would be in its parent's file.
void in_child() {
  process = nullptr;
  mine = nullptr;
  trace_is_on = false;
  path[0] = '\0';
  unlock_apart(&of_the_process);
}
void before_fork() { lock_apart(&of_the_process); }
void in_parent() { unlock_apart(&of_the_process); }

}  // namespace

bool there(const void* address, std::size_t bytes) {
#ifndef MADV_POPULATE_WRITE
  constexpr int MADV_POPULATE_WRITE = 23;
#endif
  const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(address) / 4096 * 4096;
  const std::size_t length = reinterpret_cast<std::uintptr_t>(address) + bytes - from;
  const int why = errno;
  const bool is = madvise(reinterpret_cast<void*>(from), length, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
  errno = why;
  return is;  // an old kernel does not know
}

void begin_process(int requested) {
  const char* const directory = std::getenv("_RADDLE_PROFILE");  // NOLINT(concurrency-mt-unsafe): MPI has not begun
  if (process != nullptr || directory == nullptr || *directory == '\0') return;
  if (std::strcmp(program_invocation_short_name, "raddle-proxy") == 0) return;  // none of the program's processes
  const std::size_t names_at = whole_pages(sizeof(ProcessArea));
  const std::size_t communicators_at = names_at + whole_pages(name_bytes * functions);
  const std::size_t threads_at = communicators_at + whole_pages(sizeof(CommunicatorArea) * most_communicators);
  const std::size_t bytes = threads_at + sizeof(ThreadArea) * most_threads;
  const int file = new_file(directory, bytes);
  if (file < 0) return;
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED || !there(mapped, communicators_at)) {
    std::fprintf(stderr, "raddle: no profile of process %ld: no room for %s\n", static_cast<long>(getpid()), path);
    unlink(path);
    return;
  }
  by_counter = counter_is_steady();
  auto& area = *static_cast<ProcessArea*>(mapped);
  area.version = format_version;
  area.functions = functions;
  area.functions_at = names_at;
  area.communicators_at = communicators_at;
  area.threads_at = threads_at;
  area.communicator_bytes = sizeof(CommunicatorArea);
  area.thread_bytes = sizeof(ThreadArea);
  area.file_bytes = bytes;
  area.pid = getpid();
  area.rank = -1;
  area.requested = level(requested);
  area.cpus = cpus();
  area.counter = by_counter ? 1 : 0;
  gethostname(area.host, sizeof area.host - 1);
  first_line("/proc/sys/kernel/random/boot_id", area.boot, sizeof area.boot);
  for (std::uint32_t i = 0; i < functions; ++i) {
    std::snprintf(static_cast<char*>(mapped) + names_at + name_bytes * i, name_bytes, "%s", names[i]);
  }
  const Moment first = moment();
  area.first_ticks = area.last_ticks = first.ticks;
  area.first_nanoseconds = area.last_nanoseconds = first.nanoseconds;
  area.concurrency.begin(first.ticks);
  std::memcpy(area.magic, magic, sizeof area.magic);  // last: from here on it is a profile
  static const int watches_forks = pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(watches_forks);
  begin_threads();
  begin_trace(path);
  process = &area;
}

namespace {

/// The rest, when it is known who this process is.
void go_on(bool world) {
  ProcessArea& area = *process;
  const Moment at = moment();
  if (at.nanoseconds > area.first_nanoseconds + 1000) {
    const double each =
        static_cast<double>(at.ticks - area.first_ticks) / static_cast<double>(at.nanoseconds - area.first_nanoseconds);
    between_samples = static_cast<std::uint64_t>(250'000 * each);
  }
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  mpi.get_library_version(library, &length);
  std::snprintf(area.library, sizeof area.library, "%.*s", static_cast<int>(sizeof area.library) - 1, library);
  first_communicators(world);
  measure_cost();
  area.state = State::running;
  begin_sampler();
}

/// The first of these variables that is there, as a number.
int number_in(std::initializer_list<const char*> variables, int otherwise) {
  for (const char* const name : variables) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): as the MPI does meanwhile
    if (value != nullptr) return static_cast<int>(std::strtol(value, nullptr, 10));
  }
  return otherwise;
}

bool is_starting() { return process != nullptr && process->state.load(std::memory_order_relaxed) == State::starting; }

}  // namespace

void know_process() {
  begun.fetch_add(1);
  if (!is_starting()) return;
  mpi.comm_rank(MPI_COMM_WORLD, &process->rank);
  mpi.comm_size(MPI_COMM_WORLD, &process->size);
  int provided = MPI_THREAD_SINGLE;
  mpi.query_thread(&provided);
  process->provided = level(provided);
  go_on(true);
}

void know_session() {
  if (!is_starting()) return;
  process->rank = number_in({"PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}, 0);
  process->provided = process->requested;
  go_on(false);
}

void end_process(State state) {
  if (process == nullptr || process->pid != getpid()) return;
  const State before = process->state.load(std::memory_order_relaxed);
  // What is known to have come first stays: a process that has finalized exits all the same.
  look_last();
  if (before == State::running || (before == State::starting && state == State::aborted)) process->state = state;
}

void before_finalize() { look_last(); }

void finalized() {
  if (finalized_so_far.fetch_add(1) + 1 == begun.load()) end_process(State::finalized);
}

namespace {

// Also after exit() in the middle of the program. What the system ends at once is never here.
[[gnu::destructor]] void exited() { end_process(State::exited); }

}  // namespace

}  // namespace raddle::profile
