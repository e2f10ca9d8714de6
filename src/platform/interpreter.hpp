// SPDX-License-Identifier: BSD-3-Clause
// Python's lock, where the process is one of Python's: a thread that waits for another one must not keep it. mpi4py
// lets go of it in most calls that may block, not in all (MPI_Comm_dup and MPI_Allgather inside of some collectives).
#pragma once

#include <dlfcn.h>
#include <sched.h>

namespace raddle::platform {

class Interpreter {
 public:
  /// Lets others go first, also those that wait for the interpreter's lock.
  static void yield() noexcept {
    static const Interpreter known;
    if (known.holds_ == nullptr || known.holds_() == 0) {
      sched_yield();
      return;
    }
    void* const state = known.let_go_();
    sched_yield();
    known.take_(state);
  }

 private:
  Interpreter() noexcept {
    if (!look_up("PyEval_SaveThread", let_go_) || !look_up("PyEval_RestoreThread", take_)) return;
    look_up("PyGILState_Check", holds_);
  }

  template <typename Function>
  static bool look_up(const char* name, Function*& function) noexcept {
    function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
  }

  int (*holds_)() = nullptr;
  void* (*let_go_)() = nullptr;
  void (*take_)(void*) = nullptr;
};

}  // namespace raddle::platform
