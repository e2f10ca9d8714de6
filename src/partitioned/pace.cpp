// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/pace.hpp"

#include <cmath>

namespace raddle::partitioned {

double Pace::tail(std::size_t bytes, double parts, const Costs& costs) const {
  using Seconds = std::chrono::duration<double>;
  if (times_.empty()) return 0;
  const auto first_of = [](const Times& one) { return one.first.load(std::memory_order_relaxed); };
  const Clock::time_point begin = first_of(*std::ranges::min_element(times_, {}, first_of));
  const auto since = [&](Clock::time_point time) { return Seconds(time - begin).count(); };
  const double finished = since(std::ranges::max_element(times_, {}, &Times::last)->last);

  // When each message could leave.
  std::vector<double> ready;
  if (parts >= 1) {
    const auto of_each = static_cast<int>(parts);
    for (const Times& group : times_) {
      // Nobody has looked at what became ready in between: as if it were at a steady pace.
      const double first = since(first_of(group));
      const double each = (since(group.last) - first) / of_each;
      for (int part = 1; part <= of_each; ++part) ready.push_back(first + each * part);
    }
  } else {
    const auto together = static_cast<std::size_t>(std::lround(1 / parts));
    for (std::size_t group = 0; group < times_.size(); group += together) {
      const auto end = times_.begin() + static_cast<std::ptrdiff_t>(std::min(group + together, times_.size()));
      const auto last = std::max_element(times_.begin() + static_cast<std::ptrdiff_t>(group), end,
                                         [](const Times& one, const Times& other) { return one.last < other.last; });
      ready.push_back(since(last->last));
    }
  }

  // One after the other, as they become ready.
  std::ranges::sort(ready);
  const auto messages = static_cast<double>(ready.size());
  const double each = costs.message + static_cast<double>(bytes) / messages * costs.byte;
  double out = 0;
  for (const double time : ready) out = std::max(out, time) + each;
  return out - finished + messages * costs.message;
}

}  // namespace raddle::partitioned
