// SPDX-License-Identifier: BSD-3-Clause
// What benchmarks time, whatever an operation is.
#pragma once

#include <cstdint>

#include "core/arm.hpp"
#include "core/clock.hpp"

namespace raddle::bench {

/// A side of round trips. @tparam Trips  the class that derives from this; its round() is this side's part of one trip
template <typename Trips>
class RoundTrips : public Worker {
 public:
  Span sample(std::int64_t iterations) override {
    auto& trips = static_cast<Trips&>(*this);
    trips.round();  // both sides are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) trips.round();
    return sends_ ? Span{begin, now()} : Span{};
  }

 protected:
  [[nodiscard]] bool sends() const noexcept { return sends_; }
  // Whose content a message has, as fill() and compare() want it.
  [[nodiscard]] int own_content() const noexcept { return 2 * flow_ + (sends_ ? 0 : 1); }
  [[nodiscard]] int content_of_other() const noexcept { return 2 * flow_ + (sends_ ? 1 : 0); }

 private:
  friend Trips;  // no other class derives from this one
  explicit RoundTrips(const Seat& seat) : sends_(seat.side == Side::sender), flow_(seat.flow) {}

  const bool sends_;
  const int flow_;
};

/// The time of `iterations` steps, between two meetings of all who take them.
template <typename Meet, typename Step>
Span between_meetings(std::int64_t iterations, Meet&& meet, Step&& step) {
  meet();
  const Nanoseconds begin = now();
  for (std::int64_t i = 0; i < iterations; ++i) step();
  const Nanoseconds end = now();
  meet();
  return {begin, end};
}

}  // namespace raddle::bench
