// SPDX-License-Identifier: BSD-3-Clause
// The line in which a request's answer comes. A base class, since a request tells at once where its end will be seen.
#pragma once

#include <memory>

#include "engines/proxy/command.hpp"
#include "engines/proxy/proxies.hpp"

namespace raddle::proxy {

class Line {
 public:
  explicit Line(Proxies& proxies) : proxies_(proxies), answer_(proxies.take_answer()) {
    if (answer_ != nullptr) return;
    instead_ = std::make_unique<Answer>();
    answer_ = instead_.get();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (shared()) proxies_.give_back(answer_);
  }

  /// Whether the proxy sees it: the heap may have had no room for one. Then nothing can be asked for.
  [[nodiscard]] bool shared() const { return instead_ == nullptr; }
  [[nodiscard]] Answer& answer() const { return *answer_; }
  [[nodiscard]] std::uint64_t place() const { return proxies_.area().place_of(answer_); }
  void expect() {
    answer_->end.store(endpoints::Ended::no, std::memory_order_relaxed);
    answer_->cancelled = false;
  }
  /// Without the proxy.
  void end(endpoints::Ended how) { answer_->end.store(how, std::memory_order_release); }

 private:
  Proxies& proxies_;
  Answer* answer_;
  std::unique_ptr<Answer> instead_;
};

}  // namespace raddle::proxy
