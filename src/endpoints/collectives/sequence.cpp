// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/sequence.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>

#include "platform/must.hpp"

namespace raddle::endpoints::collectives {
namespace {

constexpr const char* a_nonblocking_one = "a nonblocking collective";

}  // namespace

void Sequence::start(Collective& collective, std::uint64_t number) {
  platform::relied_on(a_nonblocking_one, [&] {
    const std::lock_guard lock(lock_);
    begun_.push_back({&collective, number});
    under_way_.fetch_add(1, std::memory_order_relaxed);
  });
  progress();
}

void Sequence::adopt(std::unique_ptr<Collective> collective) {
  const std::lock_guard lock(lock_);
  if (!collective->complete()) adopted_.push_back(std::move(collective));
}

void Sequence::progress() {
  if (advancing_.exchange(true, std::memory_order_acquire)) return;
  platform::relied_on(a_nonblocking_one, [&] { advance_all(); });
  advancing_.store(false, std::memory_order_release);
}

void Sequence::advance_all() {
  {
    const std::lock_guard lock(lock_);
    started_.insert(started_.end(), begun_.begin(), begun_.end());
    begun_.clear();
  }
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
    end(*collective);
  }
}

void Sequence::end(Collective& collective) {
  std::unique_ptr<Collective> gone;
  const std::lock_guard lock(lock_);
  const auto own = std::ranges::find(adopted_, &collective, &std::unique_ptr<Collective>::get);
  if (own == adopted_.end()) return collective.publish();
  gone = std::move(*own);
  adopted_.erase(own);
}

}  // namespace raddle::endpoints::collectives
