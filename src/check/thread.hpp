// SPDX-License-Identifier: BSD-3-Clause
// What each thread is doing, and what the process is. All of it is behind one lock, which no call of the MPI is made
// under: a program that is checked need not be fast.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace raddle::check {

/// Functions that are not the MPI's: numbers beyond those that the MPI's have.
namespace other_functions {
constexpr std::uint32_t free = UINT32_MAX;
constexpr std::uint32_t realloc = UINT32_MAX - 1;
constexpr std::uint32_t munmap = UINT32_MAX - 2;
}  // namespace other_functions

/// A call of the program, by the function's number.
struct Site {
  std::uint32_t function = 0;
  const void* caller = nullptr;
  int thread = -1;
};

struct Thread {
  int index = 0;
  long tid = 0;
  std::string name;
  // The call that is underway.
  bool inside = false;
  Site site;
  bool collective = false;
  std::uint64_t communicator = 0;
  std::vector<std::uint64_t> requests;  ///< that it completes
  bool waits = false;                   ///< for all or some of them; false: it asks for one
  // A message that it has seen by MPI_Probe, and not received yet.
  struct {
    bool is = false;
    std::uint64_t communicator = 0;
    int source = 0;
    int tag = 0;
    Site site;
    bool taken = false;  ///< another thread, which had seen it as well, has received it
    Site by;
  } probed;
};

enum class Phase { before, between, after };

struct ProcessState {
  Phase phase = Phase::before;
  int rank = -1;
  int level = 0;  ///< as provided, 0 to 3; 3 where several are in use
  bool sessions = false;
  int main_thread = -1;  ///< -1: not known
  bool told = false;     ///< that it is checked
};

extern std::atomic<bool> on;  ///< whether anything is to be checked
extern ProcessState process;

/// The lock over all that is known. Never destroyed: threads outlive the process's end.
std::mutex& lock();
/// Under the lock. Nothing in it ever moves.
std::vector<Thread*>& threads();

/// The calling thread's; without the lock.
Thread& me();

}  // namespace raddle::check
