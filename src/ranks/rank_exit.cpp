// SPDX-License-Identifier: BSD-3-Clause
// Exported by the executable, so that programs loaded into it find these and not the C library's. So do all
// libraries: an MPI that ends its process must go on doing so, and only programs end a rank, themselves or by their
// language's STOP.
#include <dlfcn.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string_view>
#include <thread>

#include "platform/last_words.hpp"
#include "platform/must.hpp"
#include "raddle/raddle.h"
#include "ranks/process.hpp"

namespace raddle::ranks {
namespace {

constexpr std::array<std::string_view, 3> speak_for_programs{"/libgfortran.so", "/libifcore", "/libflang"};

/// A child of fork() has the variables of the thread that made it, but is a process.
const pid_t process = getpid();

bool is_of_a_program(const void* caller) {
  if (is_in_a_copy(caller)) return true;
  Dl_info about{};
  if (dladdr(caller, &about) == 0 || about.dli_fname == nullptr) return false;
  const std::string_view name(about.dli_fname);
  return std::ranges::any_of(speak_for_programs,
                             [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// Whether other ranks wait for the calling thread's: it takes part in MPI.
bool takes_part() {
  Raddle_Rank rank = nullptr;
  int flag = 0;
  platform::must("Raddle_Rank_adopted", Raddle_Rank_adopted(&rank));
  platform::must("Raddle_Rank_takes_part", Raddle_Rank_takes_part(rank, &flag));
  return flag != 0;
}

/// What a process that exits has written is not lost.
void flush(Process& rank) {
  rank.streams.flush();
  if (rank.program.flush_units != nullptr) rank.program.flush_units(nullptr);
}

/// As flush, but a thread of the rank that writes keeps its stream for itself, and is not waited for.
void flush_soon(Process& rank) {
  const auto done = std::make_shared<std::promise<void>>();
  auto flushed = done->get_future();
  std::thread([done, &rank] {
    flush(rank);
    done->set_value();
  }).detach();
  flushed.wait_for(std::chrono::milliseconds(500));
}

/// Of the job: the first of several ranks that end it says why, and the others stay out of its way.
void only_once() {
  static std::atomic<bool> done{false};
  while (done.exchange(true)) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Safe in a handler of signals: no memory is asked for.
void say(const Process& rank, int status, const char* manner = "without MPI_Finalize") {
  std::array<char, 200> line{};
  const int length =
      std::snprintf(line.data(), line.size(), "raddle-ranks: rank %d has ended %s (exit status %d). Ending the job.\n",
                    rank.rank, manner, status);
  platform::last_words({line.data(), static_cast<std::size_t>(length)});
}

/// Of a job whose rank has gone: one that looks well would not end it.
int failed(int status) { return status == 0 ? 1 : status; }

[[noreturn]] void end_process_at_once(int status) {
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

/// Calls what the program has registered, as a process does that ends.
void call_last(Process& rank) {
  call_at_thread_end();
  call_at_exit(rank);
  while (!rank.program.destructors.empty()) {
    const Hook last = rank.program.destructors.front();
    rank.program.destructors.erase(rank.program.destructors.begin());  // first: it may call exit() itself
    last(0, nullptr, nullptr);
  }
}

[[noreturn]] void exit_by_library(int status) {
  reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"))(status);
  std::abort();  // never: but a pointer cannot say that what it points to does not return
}

/// Destroys nothing that is automatic, and no more does a process that exits. Another thread of the rank cannot end the
/// one that runs main, so that the job ends.
[[noreturn]] void end_thread() {
  if (current->threads.only_caller_left()) {
    current->over.count_down();
    for (;;) pause();  // until the process ends
  }
  if (pthread_equal(pthread_self(), current->thread) == 0) {
    only_once();
    say(*current, current->status, "by a thread other than the one that runs main");
    end_process_at_once(failed(current->status));
  }
  std::longjmp(current->beginning, 1);  // NOLINT(cert-err52-cpp): see above
}

/// Of a child of a rank. It asks the loader nothing: another thread may have had its lock.
[[noreturn]] void end_child(int status) {
  current->status = status;
  call_last(*current);
  flush(*current);
  end_process_at_once(status);
}

/// _exit() and quick_exit() of a program: nothing is flushed, and a handler of signals may call them.
[[noreturn]] void end_at_once(int status) {
  if (current == nullptr || getpid() != process) end_process_at_once(status);
  current->status = status & 0xff;
  if (!takes_part()) end_thread();
  only_once();
  say(*current, current->status);
  end_process_at_once(failed(current->status));
}

}  // namespace

void end_rank(int status) {
  if (getpid() != process) end_child(status);
  Process& rank = *current;
  rank.status = status;  // as on_exit() has it
  call_last(rank);
  rank.status &= 0xff;
  if (!takes_part()) {
    rank.streams.flush();
    return;
  }
  only_once();
  flush_soon(rank);
  say(rank, rank.status);
  platform::regardless(MPI_Abort(MPI_COMM_WORLD, failed(rank.status)));
}

void exit_program(int status) {
  if (current == nullptr) exit_by_library(status);
  if (getpid() != process) end_child(status);
  end_rank(status);
  end_thread();
}

}  // namespace raddle::ranks

extern "C" {

[[gnu::visibility("default")]] void exit(int status) {
  using namespace raddle::ranks;
  const bool is_child = current != nullptr && getpid() != process;
  if (!is_child && !is_of_a_program(__builtin_return_address(0))) exit_by_library(status);
  exit_program(status);
}

// NOLINTBEGIN(bugprone-reserved-identifier): they are the C library's
[[gnu::visibility("default")]] void _exit(int status) {
  using namespace raddle::ranks;
  if (current != nullptr && getpid() == process && is_of_a_program(__builtin_return_address(0))) end_at_once(status);
  end_process_at_once(status);
}

[[gnu::visibility("default")]] void _Exit(int status) noexcept {
  using namespace raddle::ranks;
  if (current != nullptr && getpid() == process && is_of_a_program(__builtin_return_address(0))) end_at_once(status);
  end_process_at_once(status);
}
// NOLINTEND(bugprone-reserved-identifier)

[[gnu::visibility("default")]] void quick_exit(int status) noexcept {
  using namespace raddle::ranks;
  if (current != nullptr && is_in_a_copy(__builtin_return_address(0))) {
    call_at_quick_exit(*current);
    end_at_once(status);
  }
  reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "quick_exit"))(status);
  std::abort();  // never
}

}  // extern "C"
