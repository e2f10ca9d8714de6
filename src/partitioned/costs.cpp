// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/costs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace raddle::partitioned {
namespace {

// On a node most MPIs are near these.
std::atomic<double> of_message{1e-6};
std::atomic<double> of_byte{1.25e-10};

}  // namespace

Costs message_costs() {
  return {of_message.load(std::memory_order_relaxed), of_byte.load(std::memory_order_relaxed)};
}

std::size_t usual_message_bytes() {
  constexpr double share = 1.0 / 16;  // of a message's time that is not its bytes'
  constexpr double least = 16.0 * 1024;
  constexpr double most = 4.0 * 1024 * 1024;
  const Costs costs = message_costs();
  const double bytes = std::clamp(costs.message / costs.byte / share, least, most);
  return std::bit_floor(static_cast<std::size_t>(bytes));
}

void measure_costs(MPI_Comm) {}

}  // namespace raddle::partitioned
