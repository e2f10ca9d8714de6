// SPDX-License-Identifier: BSD-3-Clause
// A collective again and again, timed together.
#pragma once

#include <memory>
#include <utility>

#include "core/arm.hpp"
#include "core/clock.hpp"
#include "mpi/collective.hpp"

namespace raddle::bench {

class RepeatedCollective : public Worker {
 public:
  explicit RepeatedCollective(std::unique_ptr<Collective> collective) : collective_(std::move(collective)) {}

  Span sample(std::int64_t iterations) override {
    collective_->call();  // all parties are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) collective_->call();
    return {begin, now()};
  }
  Validation validate() override { return collective_->validate(); }

 private:
  std::unique_ptr<Collective> collective_;
};

}  // namespace raddle::bench
