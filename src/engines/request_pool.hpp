// SPDX-License-Identifier: BSD-3-Clause
// The requests of one endpoint: taken by one thread at a time, given back by any.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "endpoints/requests/request.hpp"
#include "platform/spin_lock.hpp"

namespace raddle::engines {

/// @tparam Own  a Request; its rest() leaves nothing of a use for the next one
template <typename Own>
class RequestPool final : public endpoints::Pool {
 public:
  explicit RequestPool(std::function<std::unique_ptr<Own>()> make) : make_(std::move(make)) {}

  /// For one thread at a time.
  Own& take() {
    if (idle_ == nullptr) [[unlikely]]
      refill();
    return static_cast<Own&>(*std::exchange(idle_, idle_->behind));
  }

  /// One that lies idle, if there is one at once. Has not been taken yet.
  [[nodiscard, gnu::always_inline]] Own* idle() {
    if (idle_ == nullptr && returned_.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
      idle_ = returned_.exchange(nullptr, std::memory_order_acquire);
    return static_cast<Own*>(idle_);
  }
  void take_idle() { idle_ = idle_->behind; }

  void give_back(endpoints::Request& first, endpoints::Request& last) override {
    last.behind = nullptr;
    for (endpoints::Request* request = &first; request != nullptr; request = request->behind)
      static_cast<Own*>(request)->rest();
    give_back_as_they_are(first, last);
  }
  void give_back_as_they_are(endpoints::Request& first, endpoints::Request& last) override {
    last.behind = returned_.load(std::memory_order_relaxed);
    while (
        !returned_.compare_exchange_weak(last.behind, &first, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  /// A request that nobody waits for comes back by itself, once it is complete.
  void await(Own& request) {
    const std::lock_guard lock(abandoning_);
    abandoned_.push_back(&request);
  }

  /// Whether there are some that nobody waits for and that are not complete.
  [[nodiscard]] bool awaits() {
    const std::lock_guard lock(abandoning_);
    std::erase_if(abandoned_, [&](Own* request) {
      if (!request->complete()) return false;
      static_cast<void>(request->result());  // puts what has come into its place
      give_back(*request, *request);
      return true;
    });
    return !abandoned_.empty();
  }

  /// Calls `act` with each, wherever it is. @pre nobody takes one
  template <typename Act>
  void for_each(Act&& act) const {
    for (const auto& request : all_) act(*request);
  }

  /// Whether all have come back. For the last one who knows the endpoint.
  [[nodiscard]] bool all_idle() {
    std::size_t idle = 0;
    for (const endpoints::Request* one : {idle_, returned_.load(std::memory_order_acquire)}) {
      for (; one != nullptr; one = one->behind) ++idle;
    }
    return idle == all_.size();
  }

 private:
  void refill() {
    idle_ = returned_.exchange(nullptr, std::memory_order_acquire);
    if (idle_ == nullptr) {
      static_cast<void>(awaits());
      idle_ = returned_.exchange(nullptr, std::memory_order_acquire);
    }
    if (idle_ == nullptr) {
      all_.push_back(make_());
      idle_ = all_.back().get();
    }
  }

  static constexpr bool always_rests() {
    return !requires { typename Own::RestsAlone; };
  }

  std::function<std::unique_ptr<Own>()> make_;
  std::vector<std::unique_ptr<Own>> all_;
  endpoints::Request* idle_ = nullptr;
  std::atomic<endpoints::Request*> returned_{nullptr};  ///< since idle_ was last empty
  platform::SpinLock abandoning_;
  std::vector<Own*> abandoned_;
};

}  // namespace raddle::engines
