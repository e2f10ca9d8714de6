// SPDX-License-Identifier: BSD-3-Clause
#include "platform/background.hpp"

#include <chrono>
#include <exception>
#include <iterator>
#include <utility>

namespace raddle::platform {
namespace {

/// Most programs have come by themselves by then.
constexpr std::chrono::milliseconds pause{20};

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
    news_.wait_for(lock, pause, [this] { return ending_; });
    std::vector<Step> steps = std::exchange(steps_, {});
    lock.unlock();  // a step may take locks whose owner adds one here
    std::erase_if(steps, [](const Step& step) { return !step(); });
    lock.lock();
    steps_.insert(steps_.end(), std::make_move_iterator(steps.begin()), std::make_move_iterator(steps.end()));
  }
}

}  // namespace raddle::platform
