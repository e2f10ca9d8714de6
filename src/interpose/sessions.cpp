// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/sessions.hpp"

#include <atomic>

namespace raddle::interpose::sessions {
namespace {

std::atomic<int> open{0};

}  // namespace

void begun() { open.fetch_add(1, std::memory_order_relaxed); }

void ended() { open.fetch_sub(1, std::memory_order_relaxed); }

bool any_open() { return open.load(std::memory_order_relaxed) > 0; }

}  // namespace raddle::interpose::sessions
