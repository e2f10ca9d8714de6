// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/requests/polling.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>

#include "endpoints/rank.hpp"
#include "platform/must.hpp"
#include "platform/waiting.hpp"

namespace raddle::endpoints::mpi_progress {

namespace {

using Clock = std::chrono::steady_clock;
using platform::must;

/// Threads that wait would be in each other's way inside the MPI.
constexpr std::chrono::microseconds pause{20};

/// Something to ask the MPI for that never comes, so that it always looks for more. To probe would not do: MPICH makes
/// no progress for a communicator of one process, and on others a message of the program's could be found.
class Never {
 public:
  /// @returns whether the MPI has been asked: only one thread may at a time
  bool ask() {
    if (asked_.test_and_set(std::memory_order_acquire)) return false;
    const AsProcess process;
    if (request_ == MPI_REQUEST_NULL && !ended_) start();
    int flag = 0;
    if (!ended_) must("MPI_Test", PMPI_Test(&request_, &flag, MPI_STATUS_IGNORE));
    asked_.clear(std::memory_order_release);
    return true;
  }

  void end() {
    while (asked_.test_and_set(std::memory_order_acquire)) {
    }
    ended_ = true;
    const AsProcess process;
    if (request_ != MPI_REQUEST_NULL) {
      must("MPI_Grequest_complete", PMPI_Grequest_complete(request_));
      must("MPI_Wait", PMPI_Wait(&request_, MPI_STATUS_IGNORE));
    }
    asked_.clear(std::memory_order_release);
  }

 private:
  void start() {
    const auto query = [](void*, MPI_Status* status) -> int {
      const int code = PMPI_Status_set_elements(status, MPI_BYTE, 0);
      return code == MPI_SUCCESS ? PMPI_Status_set_cancelled(status, 0) : code;
    };
    const auto free = [](void*) -> int { return MPI_SUCCESS; };
    const auto cancel = [](void*, int) -> int { return MPI_SUCCESS; };
    must("MPI_Grequest_start", PMPI_Grequest_start(query, free, cancel, nullptr, &request_));
  }

  std::atomic_flag asked_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool ended_ = false;
};

Never& never() {
  static auto& lasting = *new Never;  // calls may come after the destructors of a program
  return lasting;
}

std::atomic<Clock::rep> next{0};  ///< when step_meanwhile() does something again

int level() {
  static const int provided = [] {
    int level = MPI_THREAD_SINGLE;
    must("MPI_Query_thread", PMPI_Query_thread(&level));
    return level;
  }();
  return provided;
}

/// With less than MPI_THREAD_MULTIPLE only the main thread can know that no other one is in the MPI, and only while no
/// others may go there.
bool may_call_the_mpi() {
  if (any_thread()) return true;
  if (level() == MPI_THREAD_SERIALIZED) return false;
  static thread_local const bool main_thread = [] {
    int flag = 0;
    must("MPI_Is_thread_main", PMPI_Is_thread_main(&flag));
    return flag != 0;
  }();
  return main_thread;
}

}  // namespace

void step() { never().ask(); }

void step_meanwhile() {
  const Clock::time_point now = Clock::now();
  const Clock::rep at = now.time_since_epoch().count();
  if (at < next.load(std::memory_order_relaxed) || !may_call_the_mpi()) return;
  if (never().ask()) next.store((now + pause).time_since_epoch().count(), std::memory_order_relaxed);
}

bool any_thread() { return level() == MPI_THREAD_MULTIPLE; }

void end() { never().end(); }

}  // namespace raddle::endpoints::mpi_progress

namespace raddle::endpoints {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto period = std::chrono::milliseconds(100);
constexpr std::size_t most_steps = 4;

std::array<std::atomic<Everything::Step>, most_steps> steps{};

}  // namespace

void Everything::add(Step step) {
  for (auto& place : steps) {
    Step there = nullptr;
    if (place.compare_exchange_strong(there, step) || there == step) return;
  }
}

void Everything::progress() {
  for (const auto& place : steps) {
    if (const Step step = place.load(std::memory_order_acquire)) step();
  }
}

void Polling::see_to_others(Mover* mover, const char* call) {
  thread_local Clock::time_point last{};
  thread_local bool about_it = false;
  if (std::exchange(about_it, true)) return;  // a step looks for something itself
  Everything::progress();
  about_it = false;
  if (in_vain_ == few) {  // a new wait
    ++wait_;
    last = Clock::now();
    return;
  }
  if (mover == nullptr) return;
  if (mover->crowded()) platform::Machine::yield();  // whom it waits for may need this CPU
  const Clock::time_point now = Clock::now();
  if (now - last < period) return;
  last = now;
  mover->blocked(call);
}

}  // namespace raddle::endpoints
