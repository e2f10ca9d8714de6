// SPDX-License-Identifier: BSD-3-Clause
// Physical limit of a message rate: a ring of cache lines between two cores, each message in lines of its own, no
// matching.
#include "declared/msgrate.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "core/buffer.hpp"
#include "core/registry.hpp"
#include "core/spin.hpp"
#include "declared/ep_throughput.hpp"
#include "declared/message_rate.hpp"
#include "probe/shared_arm.hpp"

namespace raddle::bench::probe {
namespace {

// Cells: enough to hide the round trip of the consumer's count, but for large messages no more than fit some memory.
constexpr std::uint64_t most_cells = 1024;
constexpr std::uint64_t most_memory = std::uint64_t{64} << 20U;
constexpr std::uint64_t groups = 16;  // the consumer gives cells back in groups, one line transfer each

struct FlowMemory {
  explicit FlowMemory(const Work& work)
      : stride((sizeof(std::uint64_t) + static_cast<std::size_t>(work.bytes) + line - 1) / line * line),
        depth(std::clamp(std::bit_floor(most_memory / stride), groups, most_cells)),
        cells(static_cast<std::int64_t>(stride), static_cast<int>(depth)) {
    cells.clear();
  }
  std::atomic_ref<std::uint64_t> sequence(std::uint64_t n) {
    return std::atomic_ref<std::uint64_t>(
        *reinterpret_cast<std::uint64_t*>(cells[static_cast<int>(n & (depth - 1))].data()));
  }
  std::byte* payload(std::uint64_t n) {
    return cells[static_cast<int>(n & (depth - 1))].data() + sizeof(std::uint64_t);
  }

  std::size_t stride;
  std::uint64_t depth;  ///< a power of two: a division would take as long as the message
  Slots cells;
  alignas(line) std::atomic<std::uint64_t> consumed{0};
};

class Ring final : public Worker {
 public:
  Ring(FlowMemory& shared, const Seat& seat, const Work& work)
      : shared_(shared),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        window_(work.window),
        bytes_(static_cast<std::size_t>(work.bytes)),
        buffer_(work.bytes, work.window) {}

  Span sample(std::int64_t iterations) override {
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations * window_; ++i) move(static_cast<int>(i % window_));
    if (sends_) {
      spin_until([&] { return shared_.consumed.load(std::memory_order_acquire) == next_; }, patient);
      return {begin, now()};
    }
    shared_.consumed.store(next_, std::memory_order_release);
    return {};
  }

  Validation validate() override {
    Validation result;
    if (sends_) {
      for (int i = 0; i < window_; ++i) fill(buffer_[i], flow_, i);
    } else {
      buffer_.clear();
    }
    sample(1);
    if (!sends_) {
      for (int i = 0; i < window_; ++i) compare(buffer_[i], flow_, i, result);
    }
    return result;
  }

 private:
  void move(int slot) {
    const std::uint64_t n = next_++;
    if (sends_) {
      if (n - free_ >= shared_.depth) {
        spin_until([&] { return n - (free_ = shared_.consumed.load(std::memory_order_acquire)) < shared_.depth; },
                   patient);
      }
      std::memcpy(shared_.payload(n), buffer_[slot].data(), bytes_);
      shared_.sequence(n).store(n + 1, std::memory_order_release);
    } else {
      spin_until([&] { return shared_.sequence(n).load(std::memory_order_acquire) == n + 1; }, patient);
      std::memcpy(buffer_[slot].data(), shared_.payload(n), bytes_);
      // A line that was only read stays with the producer as well, and its next store there waits for this core.
      shared_.sequence(n).store(0, std::memory_order_relaxed);
      if ((next_ & (shared_.depth / groups - 1)) == 0) shared_.consumed.store(next_, std::memory_order_release);
    }
  }

  FlowMemory& shared_;
  const bool sends_;
  const int flow_;
  const int window_;
  const std::size_t bytes_;
  Slots buffer_;
  std::uint64_t next_ = 0;
  std::uint64_t free_ = 0;  ///< consumer's count as last seen
};

Method ring(double (*work)(const Work&)) {
  return {.kind = Kind::rate,
          .work_per_operation = work,
          .arm = [](const std::string&, const Team& team, const Work& given) -> std::unique_ptr<Arm> {
            return std::make_unique<SharedArm<FlowMemory, Ring>>(team, given);
          }};
}

const Register msgrate(Benchmark{declared::msgrate(), ring(messages)});
const Register ep_throughput(Benchmark{declared::ep_throughput(), ring(megabytes)});
// A ring has no modes: it is the limit of all of them.
const Register message_rate(Benchmark{declared::message_rate(), ring(messages)});

}  // namespace
}  // namespace raddle::bench::probe
