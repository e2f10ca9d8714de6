// SPDX-License-Identifier: BSD-3-Clause
// What a rank has of its own where a process would have it: its program, and what the C library keeps once for a
// process.
#pragma once

#include <pthread.h>

#include <csetjmp>
#include <mutex>
#include <string>
#include <vector>

#include "ranks/bind.hpp"
#include "ranks/own/environment.hpp"
#include "ranks/own/locale.hpp"
#include "ranks/own/options.hpp"
#include "ranks/own/random.hpp"
#include "ranks/own/results.hpp"
#include "ranks/own/streams.hpp"
#include "ranks/program.hpp"

namespace raddle::ranks {

/// A function that is registered to be called at the end.
struct LastCall {
  void (*function)(void*, int status);
  void* argument;
};

struct Process {
  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Loaded program;
  int rank = 0;              ///< in MPI_COMM_WORLD
  int status = 0;            ///< once it has ended
  pthread_t thread{};        ///< that runs main
  std::jmp_buf beginning{};  ///< of this thread, where exit() returns to: a process that exits unwinds nothing

  Variables variables;
  Environment environment{variables};
  Streams streams;
  Random random;
  OptionScan options;
  Results results;
  Locale locale;
  bool moves_alone = true;  ///< has a working directory and a mask of permissions of its own

  std::mutex guard;  ///< of what follows
  std::vector<LastCall> at_exit;
  std::vector<LastCall> at_quick_exit;
};

/// The one of the calling thread's rank; nullptr: it is none.
inline constinit thread_local Process* current = nullptr;

}  // namespace raddle::ranks
