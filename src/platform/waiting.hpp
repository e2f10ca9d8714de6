// SPDX-License-Identifier: BSD-3-Clause
// What a blocked call does between two looks at what it waits for.
#pragma once

#include <dlfcn.h>
#include <sched.h>

#include <chrono>
#include <cstdint>

#include "platform/pause.hpp"

namespace raddle::platform {

// Python's lock, where the process is one of Python's: a thread that waits for another one must not keep it. mpi4py
// lets go of it in most calls that may block, not in all (MPI_Comm_dup and MPI_Allgather inside of some collectives).

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

/// The machine a thread waits on. Tests have another one.
struct Machine {
  using Clock = std::chrono::steady_clock;
  static void pause() noexcept { platform::pause(); }
  static void yield() noexcept { Interpreter::yield(); }
  static Clock::time_point now() noexcept { return Clock::now(); }
};

/// How long a wait pauses before it yields.
enum class Patience : std::uint8_t {
  none,    ///< contexts exceed cores, and looking yields to nobody
  little,  ///< contexts exceed cores: the partner may need this one
  much,    ///< each has its core
};

/// One wait of one thread, made anew for each: costs nothing until the first turn().
///
/// It pauses first, then yields after each look. While it pauses it reads no clock: that phase is over within a
/// millisecond. Later it reads the clock at every 16th look only.
template <typename On = Machine>
class BasicWaiting {
 public:
  using Duration = On::Clock::duration;

  static constexpr std::uint64_t patient = 1U << 14U;  ///< looks before it yields: about 0.5 ms
  static constexpr std::uint64_t impatient = 1U << 4U;
  static constexpr std::uint64_t stride = 1U << 4U;  ///< looks between two of the clock

  /// @param crowded whether busy contexts exceed the cores they may use
  /// @param period how often long_wait() tells that time has gone by
  explicit BasicWaiting(bool crowded, Duration period = std::chrono::milliseconds(100)) noexcept
      : BasicWaiting(crowded ? Patience::little : Patience::much, period) {}
  explicit BasicWaiting(Patience patience, Duration period = std::chrono::milliseconds(100)) noexcept
      : patience_(patience == Patience::none     ? 0
                  : patience == Patience::little ? impatient
                                                 : patient),
        period_(period) {}

  /// To be called after each look that found nothing.
  /// @param pauses  not after a look that has entered the kernel: that was pause enough
  void turn(bool pauses = true) noexcept {
    if (++turns_ <= patience_) {
      if (pauses) On::pause();
    } else {
      On::yield();
    }
  }

  /// Whether it is time to see to what others may wait for: after some looks, and now and then. To be asked once after
  /// each turn().
  [[nodiscard]] bool idle() const noexcept { return turns_ > patience_ && turns_ % stride == 0; }

  /// Whether another period has gone by: time to look for peers that have died, or to tell who waits for what. To be
  /// asked once after each turn().
  [[nodiscard]] bool long_wait() noexcept {
    if (!idle()) return false;
    const auto now = On::now();
    if (!timed_) {
      timed_ = true;
      told_ = now;
    }
    if (now - told_ < period_) return false;
    told_ = now;
    return true;
  }

 private:
  using Time = On::Clock::time_point;

  std::uint64_t turns_ = 0;
  std::uint64_t patience_;
  Duration period_;
  bool timed_ = false;
  Time told_{};
};

using Waiting = BasicWaiting<>;

}  // namespace raddle::platform
