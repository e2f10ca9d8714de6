// SPDX-License-Identifier: BSD-3-Clause
// Threads that a rank starts, or that a library starts for it, are the rank's: they have its variables, its locale, and
// in their calls MPI_COMM_WORLD is its world. The kernel gives them the working directory of the thread that starts
// them.
#include <pthread.h>
#include <threads.h>

#include <memory>
#include <new>
#include <utility>

#include "raddle/raddle.h"
#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {

void Threads::begin() {
  const std::lock_guard lock(guard_);
  ++running_;
}

bool Threads::end() {
  const std::lock_guard lock(guard_);
  return --running_ == 0 && main_left_;
}

bool Threads::leave_main() {
  const std::lock_guard lock(guard_);
  main_left_ = true;
  return running_ == 0;
}

bool Threads::main_has_left() {
  const std::lock_guard lock(guard_);
  return main_left_;
}

bool Threads::only_caller_left() {
  const std::lock_guard lock(guard_);
  return main_left_ && running_ == 1;
}

void Threads::add_key(pthread_key_t key) {
  const std::lock_guard lock(guard_);
  keys_.insert(key);
}

void Threads::remove_key(pthread_key_t key) {
  const std::lock_guard lock(guard_);
  keys_.erase(key);
}

void Threads::forget_keys() {
  const std::lock_guard lock(guard_);
  for (const pthread_key_t key : keys_) pthread_setspecific(key, nullptr);
}

}  // namespace raddle::ranks

namespace {

using raddle::ranks::current;
using raddle::ranks::is_in_a_copy;
using raddle::ranks::Process;

/// Ends when the thread does, however.
class Running {
 public:
  explicit Running(Process& process) : process_(process) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (!process_.threads.end()) return;
    raddle::ranks::end_rank(0);
    process_.over.count_down();
  }

 private:
  Process& process_;
};

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
  const Running running(*current);
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
  auto start = std::unique_ptr<Start<Result>>(new (std::nothrow) Start<Result>{function, argument, current, rank});
  if (start != nullptr) current->threads.begin();
  return start;
}

/// @param begun  whether there is such a thread, which then has what it was started with
template <typename Result>
void let_go(std::unique_ptr<Start<Result>> start, bool begun) {
  if (begun)
    start.release();
  else
    static_cast<void>(start->process->threads.end());  // the caller runs, too
}

}  // namespace

RADDLE_OWN int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) noexcept {
  auto start = as_of_rank(function, argument);
  if (start == nullptr) return RADDLE_LIBC(pthread_create, thread, attributes, function, argument);
  const int error = RADDLE_LIBC(pthread_create, thread, attributes, begin<void*>, static_cast<void*>(start.get()));
  let_go(std::move(start), error == 0);
  return error;
}

RADDLE_OWN int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = as_of_rank(function, argument);
  if (start == nullptr) return RADDLE_LIBC(thrd_create, thread, function, argument);
  const int error = RADDLE_LIBC(thrd_create, thread, begin<int>, static_cast<void*>(start.get()));
  let_go(std::move(start), error == thrd_success);
  return error;
}

RADDLE_OWN int pthread_key_create(pthread_key_t* key, void (*at_end)(void*)) noexcept {
  const int error = RADDLE_LIBC(pthread_key_create, key, at_end);
  if (error == 0 && current != nullptr && is_in_a_copy(__builtin_return_address(0))) current->threads.add_key(*key);
  return error;
}

RADDLE_OWN int pthread_key_delete(pthread_key_t key) noexcept {
  if (current != nullptr) current->threads.remove_key(key);
  return RADDLE_LIBC(pthread_key_delete, key);
}

RADDLE_OWN int tss_create(tss_t* key, tss_dtor_t at_end) {
  const int error = RADDLE_LIBC(tss_create, key, at_end);
  if (error == thrd_success && current != nullptr && is_in_a_copy(__builtin_return_address(0)))
    current->threads.add_key(*key);
  return error;
}

RADDLE_OWN void tss_delete(tss_t key) {
  if (current != nullptr) current->threads.remove_key(key);
  RADDLE_LIBC(tss_delete, key);
}

// OpenMP's section without a name is one for a process; those with a name are variables of the program. A rank may wait
// for another one in it.
namespace {

std::mutex& critical() {
  static std::mutex of_no_rank;
  return current == nullptr ? of_no_rank : current->critical;
}

}  // namespace

// The names are those of GCC's OpenMP.
RADDLE_OWN void GOMP_critical_start() { critical().lock(); }
RADDLE_OWN void GOMP_critical_end() { critical().unlock(); }
