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
constexpr const char* no_end = "nothing moved for 3 s";
constexpr auto step = 20ms;

std::atomic<unsigned> signs_of_life{0};

}  // namespace

void still_alive() { signs_of_life.fetch_add(1, std::memory_order_relaxed); }

Watchdog::Watchdog(std::string trial) : trial_(std::move(trial)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  over_ = true;
  thread_.join();
}

void Watchdog::watch() {
  auto heard = std::chrono::steady_clock::now();
  for (unsigned known = signs_of_life; !over_; std::this_thread::sleep_for(step)) {
    const auto now = std::chrono::steady_clock::now();
    if (const unsigned signs = signs_of_life; signs != known) {
      known = signs;
      heard = now;
    }
    if (now - heard < limit) continue;
    say_outcome(trial_, "hang", no_end);
    std::this_thread::sleep_for(100ms);  // for the launcher to pass it on
    std::_Exit(1);                       // MPI_Abort might wait for a lock that the hanging thread holds
  }
}

}  // namespace raddle::inspect
