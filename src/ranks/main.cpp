// SPDX-License-Identifier: BSD-3-Clause
// raddle-ranks: started by mpiexec in place of a program that was written for processes, it runs the program in several
// threads of each process, and each of them is a rank (docs/use/endpoints.md, "Threads as ranks").
#include <cxxabi.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/must.hpp"
#include "raddle/raddle.h"
#include "ranks/elf_image.hpp"
#include "ranks/libraries.hpp"
#include "ranks/process.hpp"
#include "ranks/program.hpp"
#include "ranks/static_tls.hpp"

namespace {

using raddle::platform::must;
using raddle::platform::regardless;
using raddle::ranks::current;
using raddle::ranks::Process;
using raddle::ranks::Wishes;

// Stacks for ranks, as large as a process of the same limit would have.

/// In place of no limit. It costs addresses, of which there are a thousand times as many, and no memory.
constexpr std::size_t unlimited = std::size_t{64} << 30U;
/// The C library keeps a thread's variables in its stack.
constexpr std::size_t for_variables = std::size_t{256} << 10U;
constexpr std::size_t least = std::size_t{1} << 20U;

std::size_t wanted(std::size_t page) {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > unlimited)
    return unlimited;
  return (limit.rlim_cur + for_variables + page - 1) / page * page;
}

/// Gives threads that are started with `attributes` a stack of its own, which stays until the process ends. Each call
/// makes another one. Where there is no room for one the C library's default remains.
void give_stack(pthread_attr_t& attributes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // The C library would have it reserved, and the kernel refuses what is more than the machine's memory.
  constexpr int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  for (std::size_t size = wanted(page); size >= least; size = size / 2 / page * page) {
    void* const made = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (made == MAP_FAILED) continue;             // a limit of addresses, or a kernel that reserves everything
    madvise(made, size + page, MADV_NOHUGEPAGE);  // a deep call would be given 2 MiB
    mprotect(made, page, PROT_NONE);              // what overflows is a signal
    if (pthread_attr_setstack(&attributes, static_cast<std::byte*>(made) + page, size) == 0) return;
    munmap(made, size + page);
  }
}

/// What the command says.
struct Command {
  int threads = 0;
  Wishes wishes;
  char** program = nullptr;  ///< and its arguments
  int words = 0;
};

/// One rank: its program, and the words of the command, which it may change.
struct Run {
  Process process;
  Raddle_Rank rank = nullptr;
  std::vector<std::string> words;
  std::vector<char*> arguments;  ///< as main takes them: a library may read them as long as the process lives
};

using Runs = std::vector<std::unique_ptr<Run>>;

void* run(void* given) {
  auto& rank = *static_cast<Run*>(given);
  Process& own = rank.process;
  current = &own;
  own.thread = pthread_self();
  own.moves_alone = raddle::ranks::move_alone();
  Raddle_Rank_adopt(rank.rank);
  try {
    if (setjmp(own.beginning) == 0) {  // NOLINT(cert-err52-cpp): exit() has to come back without unwinding
      const auto count = static_cast<int>(rank.words.size());
      for (const raddle::ranks::Hook constructor : own.program.constructors)
        constructor(count, rank.arguments.data(), own.environment.table());
      raddle::ranks::end_rank(own.program.main(count, rank.arguments.data(), own.environment.table()));
    }
  } catch (abi::__forced_unwind&) {
    if (own.threads.leave_main()) {
      raddle::ranks::end_rank(0);
      own.over.count_down();
    }
    throw;
  }
  own.threads.forget_keys();
  own.over.count_down();
  return nullptr;
}

int run_all(Runs& ranks) {
  std::vector<pthread_t> threads(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    give_stack(attributes);
    if (const int code = pthread_create(&threads[i], &attributes, run, ranks[i].get()); code != 0) {
      std::fprintf(stderr, "raddle-ranks: no thread for another rank: %s\n",
                   std::generic_category().message(code).c_str());
      regardless(MPI_Abort(MPI_COMM_WORLD, 2));
    }
  }
  int status = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    Process& rank = ranks[i]->process;
    rank.over.wait();
    // One that has left main is the program's to join.
    if (!rank.threads.main_has_left()) pthread_join(threads[i], nullptr);
    if (status == 0) status = rank.status;
  }
  return status;
}

/// @throws std::invalid_argument
Command command_of(int argc, char** argv) {
  constexpr const char* usage = "raddle-ranks THREADS [--private LIB] [--shared LIB] PROGRAM [ARGUMENT...]";
  if (argc < 3) throw std::invalid_argument(usage);
  Command command;
  const char* const end = argv[1] + std::strlen(argv[1]);
  const auto [stop, error] = std::from_chars(argv[1], end, command.threads);
  if (error != std::errc() || stop != end || command.threads < 1)
    throw std::invalid_argument(std::string("'") + argv[1] + "' is no number of threads: it has to be 1 or more");
  int next = 2;
  for (; next + 2 < argc; next += 2) {
    if (std::strcmp(argv[next], "--private") == 0)
      command.wishes.to_be_private.emplace_back(argv[next + 1]);
    else if (std::strcmp(argv[next], "--shared") == 0)
      command.wishes.to_be_shared.emplace_back(argv[next + 1]);
    else
      break;
  }
  command.program = argv + next;
  command.words = argc - next;
  return command;
}

/// Each copy of a file has a descriptor, of which a process may have more than it is given at first.
void allow_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// @throws std::exception  with what is to be told
Runs load(const Command& command, raddle::ranks::Closure files) {
  const raddle::ranks::Program program(std::move(files));
  allow_descriptors();
  Runs ranks;
  for (int i = 0; i < command.threads; ++i) {
    Run& rank = *ranks.emplace_back(std::make_unique<Run>());
    rank.process.program = program.load(rank.process.variables, raddle::ranks::Plugins::functions());
    rank.process.environment.begin(environ);
    if (!rank.process.streams.open(rank.process.variables, i == 0))
      throw std::runtime_error("no descriptor for the streams of another rank: " +
                               std::generic_category().message(errno) + ". Raise the limit of open files (ulimit -n).");
    rank.words.assign(command.program, command.program + command.words);
    for (std::string& word : rank.words) rank.arguments.push_back(word.data());
    rank.arguments.push_back(nullptr);
    rank.process.plugins.begin(command.wishes, command.words, rank.arguments.data());
  }
  return ranks;
}

/// What is private of a program and what is shared, for `raddle exec --explain`: a word and a path or name in each
/// line.
int list(int argc, char** argv) {
  try {
    const Command command = command_of(argc - 1, argv + 1);
    raddle::ranks::Closure files = raddle::ranks::closure_of(command.program[0], command.wishes);
    for (raddle::ranks::PrivateFile& file : files.files) {
      std::printf("private %s\n", file.path.c_str());
      for (const std::string& name : file.image().undefined())
        std::printf("takes %s\t%s\n", name.c_str(), file.path.c_str());
    }
    for (const raddle::ranks::SharedFile& file : files.shared)
      std::printf("shared %s\t%s\n", file.path.c_str(), file.reason.c_str());
    const raddle::ranks::Program loadable(std::move(files));
  } catch (const std::exception& error) {
    std::printf("problem %s\n", error.what());
  }
  return 0;
}

/// Numbers them as Raddle_Ranks_create does.
void number(const Runs& ranks) {
  int first = 0;
  int process = 0;
  const auto own = static_cast<int>(ranks.size());
  must("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &process));
  must("MPI_Exscan", MPI_Exscan(&own, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  if (process == 0) first = 0;  // MPI leaves it open
  for (const auto& rank : ranks) rank->process.rank = first++;
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

/// Reads what is to be run. @returns why it cannot be; empty: it can, as far as is known
std::string read(int argc, char** argv, Command& command, raddle::ranks::Closure& files) {
  try {
    command = command_of(argc, argv);
    files = raddle::ranks::closure_of(command.program[0], command.wishes);
    raddle::ranks::reserve_static_tls(files, command.threads, argv);
    // What the C library's messages begin with.
    program_invocation_name = command.program[0];
    const char* const last = std::strrchr(command.program[0], '/');
    program_invocation_short_name =
        last == nullptr ? command.program[0] : command.program[0] + (last + 1 - command.program[0]);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

int run_programs(Runs& ranks) {
  std::vector<Raddle_Rank> made(ranks.size());
  const int count = static_cast<int>(made.size());
  must("Raddle_Ranks_create", Raddle_Ranks_create(count, made.data()));
  must("Raddle_Ranks_run_programs", Raddle_Ranks_run_programs(count, made.data()));
  // From now on errors of the program are raised by the handlers of its ranks alone.
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
    must("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  for (std::size_t i = 0; i < made.size(); ++i) ranks[i]->rank = made[i];
  number(ranks);
  return run_all(ranks);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--list") == 0) return list(argc, argv);
  Command command;
  raddle::ranks::Closure files;
  std::string wrong = read(argc, argv, command, files);  // told once the processes know of each other
  int provided = MPI_THREAD_SINGLE;
  must("MPI_Init_thread", MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
  if (wrong.empty() && provided < MPI_THREAD_MULTIPLE)
    wrong = "this MPI does not provide MPI_THREAD_MULTIPLE, which ranks that are threads need";
  Runs& ranks = *new Runs;  // stays: words and environment are read while the process ends
  try {
    if (wrong.empty()) ranks = load(command, std::move(files));
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  const int status = all_well(wrong) ? run_programs(ranks) : 2;
  must("MPI_Finalize", MPI_Finalize());
  return status;
}
