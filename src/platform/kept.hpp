// SPDX-License-Identifier: BSD-3-Clause
// What somebody may still write to, and nobody tells when not any more: it stays until the process ends.
#pragma once

#include <deque>
#include <mutex>
#include <type_traits>
#include <utility>

#include "platform/spin_lock.hpp"

namespace raddle::platform {

/// Any thread.
template <typename Memory>
void keep(Memory&& memory) {
  static auto& kept = *new std::deque<std::remove_cvref_t<Memory>>;
  static SpinLock guard;
  const std::lock_guard lock(guard);
  kept.push_back(std::forward<Memory>(memory));
}

}  // namespace raddle::platform
