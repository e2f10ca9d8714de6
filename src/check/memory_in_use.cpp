// SPDX-License-Identifier: BSD-3-Clause
#include "check/memory_in_use.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace raddle::check::in_use {
namespace {

std::atomic<std::size_t> operations{0};
thread_local constinit bool busy = false;  // the map frees memory itself

/// While it lives, the calling thread has the map.
class Alone {
 public:
  Alone() {
    guard().lock();
    busy = true;
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
  ~Alone() {
    busy = false;
    guard().unlock();
  }

  [[nodiscard]] std::unordered_map<std::uint64_t, MemoryAccess>& by_request() const {
    static auto* const made = new std::unordered_map<std::uint64_t, MemoryAccess>;
    return *made;
  }

 private:
  static std::mutex& guard() {
    static auto* const made = new std::mutex;
    return *made;
  }
};

}  // namespace

void set(std::uint64_t request, const MemoryAccess& access) {
  const Alone alone;
  if (access.begin == access.end) {
    alone.by_request().erase(request);
  } else {
    alone.by_request().insert_or_assign(request, access);
  }
  operations.store(alone.by_request().size(), std::memory_order_relaxed);
}

std::optional<std::uint64_t> find(const MemoryAccess& access) {
  if (operations.load(std::memory_order_relaxed) == 0 || busy) return std::nullopt;
  const Alone alone;
  const auto& all = alone.by_request();
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return overlap(each.second, access); });
  return found == all.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace raddle::check::in_use
