// SPDX-License-Identifier: BSD-3-Clause
#include "check/memory_in_use.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

namespace raddle::check::in_use {
namespace {

std::atomic<std::size_t> operations{0};
thread_local constinit bool busy = false;  // what follows frees memory itself

/// By where their memory begins: there may be very many.
class Operations {
 public:
  void set(std::uint64_t request, const MemoryAccess& access) {
    if (const auto before = by_request_.find(request); before != by_request_.end()) {
      by_begin_.erase({before->second.begin, request});
      by_request_.erase(before);
    }
    if (access.begin == access.end) return;
    by_request_.emplace(request, access);
    by_begin_.emplace(access.begin, request);
    longest_ = std::max(longest_, access.end - access.begin);
  }

  [[nodiscard]] std::size_t count() const { return by_request_.size(); }

  /// Those that use some of this memory, as long as `visit` returns true.
  template <typename Visit>
  void each(const MemoryAccess& access, Visit&& visit) const {
    const std::uintptr_t first = access.begin - std::min(access.begin, longest_);
    for (auto at = by_begin_.lower_bound({first, 0}); at != by_begin_.end() && at->first < access.end; ++at) {
      if (overlap(by_request_.at(at->second), access) && !visit(at->second)) return;
    }
  }

 private:
  std::unordered_map<std::uint64_t, MemoryAccess> by_request_;
  std::set<std::pair<std::uintptr_t, std::uint64_t>> by_begin_;
  std::uintptr_t longest_ = 0;  ///< of all that there ever were
};

/// While it lives, the calling thread has the operations.
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

  [[nodiscard]] Operations& of() const {
    static auto* const made = new Operations;
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
  alone.of().set(request, access);
  operations.store(alone.of().count(), std::memory_order_relaxed);
}

std::vector<std::uint64_t> all(const MemoryAccess& access) {
  std::vector<std::uint64_t> found;
  if (operations.load(std::memory_order_relaxed) == 0) return found;
  const Alone alone;
  alone.of().each(access, [&](std::uint64_t request) {
    found.push_back(request);
    return true;
  });
  return found;
}

std::optional<std::uint64_t> find(const MemoryAccess& access) {
  std::optional<std::uint64_t> found;
  if (operations.load(std::memory_order_relaxed) == 0 || busy) return found;
  const Alone alone;
  alone.of().each(access, [&](std::uint64_t request) {
    found = request;
    return false;
  });
  return found;
}

}  // namespace raddle::check::in_use
