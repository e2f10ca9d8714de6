// SPDX-License-Identifier: BSD-3-Clause
#include "failure.hpp"

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "platform/last_words.hpp"

namespace raddle::traffic {
namespace {

/// Some MPIs leave their shared memory behind when they abort; who has it mapped needs its name no more.
void forget_shared_memory() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (const auto at = line.find("/dev/shm/"); at != std::string::npos) unlink(line.substr(at).c_str());
  }
}

}  // namespace

void abandon(const std::string& what, std::chrono::seconds patience) {
  static std::atomic_flag spoken;
  if (spoken.test_and_set()) spoken.wait(true);  // for ever
  platform::last_words(program + (": " + what) + "\n");
  std::this_thread::sleep_for(patience);
  forget_shared_memory();
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

}  // namespace raddle::traffic
