// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/polling.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>

#include "platform/waiting.hpp"

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
