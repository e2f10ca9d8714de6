// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/watchdog.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "inspect/say.hpp"

namespace raddle::inspect {
namespace {

using namespace std::chrono_literals;

// A trial takes milliseconds, or some tenths of a second where it has to see that nothing comes.
constexpr auto limit = 3s;
constexpr const char* no_end = "no end within 3 s";
constexpr auto step = 20ms;

}  // namespace

Watchdog::Watchdog(std::string trial) : trial_(std::move(trial)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  over_ = true;
  thread_.join();
}

void Watchdog::watch() {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!over_) {
    std::this_thread::sleep_for(step);
    if (std::chrono::steady_clock::now() < deadline) continue;
    say_outcome(trial_, "hang", no_end);
    std::this_thread::sleep_for(100ms);  // for the launcher to pass it on
    std::_Exit(1);                       // MPI_Abort might wait for a lock that the hanging thread holds
  }
}

}  // namespace raddle::inspect
