// SPDX-License-Identifier: BSD-3-Clause
// Threads that a rank starts, or that a library starts for it, are the rank's: they have its variables, its locale, and
// in their calls MPI_COMM_WORLD is its world. The kernel gives them the working directory of the thread that starts
// them.
#include <pthread.h>
#include <threads.h>

#include <memory>
#include <new>

#include "raddle/raddle.h"
#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace {

using raddle::ranks::current;
using raddle::ranks::Process;

template <typename Result>
struct Start {
  Result (*function)(void*);
  void* argument;
  Process* process;
  Raddle_Rank rank;
};

template <typename Result>
Result begin(void* given) {
  const std::unique_ptr<Start<Result>> owned(static_cast<Start<Result>*>(given));
  const Start<Result> start = *owned;
  current = start.process;
  Raddle_Rank_adopt(start.rank);
  start.process->locale.use();
  return start.function(start.argument);
}

/// @returns nullptr: the thread is to be no rank's, or there is no memory for it, which the C library will find as well
template <typename Result>
std::unique_ptr<Start<Result>> as_of_rank(Result (*function)(void*), void* argument) {
  // One of libraddle's own is made while the thread has given its rank up.
  Raddle_Rank rank = nullptr;
  if (current == nullptr || Raddle_Rank_adopted(&rank) != MPI_SUCCESS || rank == nullptr) return nullptr;
  return std::unique_ptr<Start<Result>>(new (std::nothrow) Start<Result>{function, argument, current, rank});
}

}  // namespace

RADDLE_OWN int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) noexcept {
  auto start = as_of_rank(function, argument);
  if (start == nullptr) return RADDLE_LIBC(pthread_create, thread, attributes, function, argument);
  const int error = RADDLE_LIBC(pthread_create, thread, attributes, begin<void*>, static_cast<void*>(start.get()));
  if (error == 0) start.release();
  return error;
}

RADDLE_OWN int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = as_of_rank(function, argument);
  if (start == nullptr) return RADDLE_LIBC(thrd_create, thread, function, argument);
  const int error = RADDLE_LIBC(thrd_create, thread, begin<int>, static_cast<void*>(start.get()));
  if (error == thrd_success) start.release();
  return error;
}
