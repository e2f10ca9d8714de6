// SPDX-License-Identifier: BSD-3-Clause
#include "platform/background.hpp"

#include <chrono>
#include <exception>
#include <iterator>
#include <utility>

namespace raddle::platform {
namespace {

/// Most programs have come by themselves by then.
constexpr std::chrono::microseconds pause{20'000};
constexpr std::chrono::microseconds short_pause{200};
constexpr int hurried_steps = 16;

}  // namespace

Background& Background::get() {
  static auto& lasting = *new Background;  // calls may come after the destructors of a program
  return lasting;
}

void Background::add(Step step) {
  const std::lock_guard lock(guard_);
  if (ending_) return;
  steps_.push_back(std::move(step));
  if (!thread_.joinable()) thread_ = quiet_thread([this] { run(); });
  news_.notify_one();
}

void Background::hurry() {
  if (hurried_.exchange(hurried_steps, std::memory_order_relaxed) > 0) return;
  {
    const std::lock_guard lock(guard_);  // it has seen that, or waits already
  }
  news_.notify_one();
}

void Background::end() {
  {
    const std::lock_guard lock(guard_);
    ending_ = true;
    steps_.clear();
    news_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(guard_);
  steps_.clear();  // one that was being made is back
}

void Background::run() {
  try {
    make_steps();
  } catch (const std::exception& error) {
    if (failed_ == nullptr) throw;
    failed_(error);
  }
}

void Background::make_steps() {
  std::unique_lock lock(guard_);
  while (!ending_) {
    if (steps_.empty()) {
      news_.wait(lock);
      continue;
    }
    const bool hurried = hurried_.load(std::memory_order_relaxed) > 0;
    const auto called = [&] { return ending_ || (!hurried && hurried_.load(std::memory_order_relaxed) > 0); };
    news_.wait_for(lock, hurried ? short_pause : pause, called);
    if (hurried) hurried_.fetch_sub(1, std::memory_order_relaxed);
    std::vector<Step> steps = std::exchange(steps_, {});
    lock.unlock();  // a step may take locks whose owner adds one here
    std::erase_if(steps, [](const Step& step) { return !step(); });
    lock.lock();
    steps_.insert(steps_.end(), std::make_move_iterator(steps.begin()), std::make_move_iterator(steps.end()));
  }
}

}  // namespace raddle::platform
