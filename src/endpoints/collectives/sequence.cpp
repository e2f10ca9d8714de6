// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/sequence.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "platform/must.hpp"

namespace raddle::endpoints::collectives {
namespace {

constexpr const char* call = "a nonblocking collective";

}  // namespace

void Sequence::start(Collective& collective, std::uint64_t number) {
  platform::relied_on(call, [&] {
    const std::lock_guard lock(lock_);
    started_.push_back({&collective, number});
    under_way_.fetch_add(1, std::memory_order_relaxed);
  });
  progress();
}

void Sequence::adopt(std::unique_ptr<Collective> collective) {
  const std::lock_guard lock(lock_);
  if (!collective->complete()) adopted_.push_back(std::move(collective));
}

void Sequence::progress() {
  platform::relied_on(call, [&] { advance_all(); });
}

void Sequence::advance_all() {
  const std::unique_lock lock(lock_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  std::vector<const Context*> closed;  // where one could not arrive, no later one may
  for (std::size_t at = 0; at < started_.size();) {
    const auto [collective, number] = started_[at];
    if (std::ranges::find(closed, &collective->context()) != closed.end()) {
      ++at;
      continue;
    }
    const bool released = collective->advance(number);
    if (!collective->arrived()) closed.push_back(&collective->context());
    if (!released) {
      ++at;
      continue;
    }
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(at));
    under_way_.fetch_sub(1, std::memory_order_release);
    const auto own = std::ranges::find(adopted_, collective, &std::unique_ptr<Collective>::get);
    if (own != adopted_.end()) {
      adopted_.erase(own);
    } else {
      collective->publish();
    }
  }
}

}  // namespace raddle::endpoints::collectives
