// SPDX-License-Identifier: BSD-3-Clause
// Physical limits of one-sided communication: a copy out of memory that the other core has written, and atomic
// additions to one counter by all. That of a put is a cache line there and back (latency.cpp).
#include <atomic>
#include <cstring>

#include "core/barrier.hpp"
#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "core/registry.hpp"
#include "core/spin.hpp"
#include "declared/rma_fetch_and_op.hpp"
#include "declared/rma_get.hpp"
#include "probe/shared_arm.hpp"

namespace raddle::bench::probe {
namespace {

struct Pair {
  explicit Pair(const Work& work) : sender(work.bytes, 1), receiver(work.bytes, 1) {}
  Slots sender;
  Slots receiver;
  ThreadBarrier gate{2, patient};
};

class Copies final : public Worker {
 public:
  Copies(Pair& pair, const Seat& seat, const Work& work)
      : pair_(pair),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        own_(sends_ ? pair.sender[0] : pair.receiver[0]),
        theirs_(sends_ ? pair.receiver[0] : pair.sender[0]),
        in_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    return between_meetings(iterations, [&] { pair_.gate.arrive_and_wait(); }, [&] { copy(); });
  }
  Validation validate() override {
    Validation result;
    fill(own_, 2 * flow_ + (sends_ ? 0 : 1), 1);
    pair_.gate.arrive_and_wait();
    in_.clear();
    copy();
    compare(in_[0], 2 * flow_ + (sends_ ? 1 : 0), 1, result);
    pair_.gate.arrive_and_wait();
    return result;
  }

 private:
  void copy() {
    std::memcpy(in_[0].data(), theirs_.data(), in_.bytes());
    std::atomic_signal_fence(std::memory_order_seq_cst);  // each copy is made
    asm volatile("" : : "r"(in_[0].data()) : "memory");
  }

  Pair& pair_;
  const bool sends_;
  const int flow_;
  std::span<std::byte> own_;
  std::span<std::byte> theirs_;
  Slots in_;
};

struct Counter {
  explicit Counter(const Work&) {}
  alignas(line) std::atomic<std::int64_t> value{0};
  ThreadBarrier gate{2, patient};
};

class Additions final : public Worker {
 public:
  Additions(Counter& counter, const Seat&, const Work&) : counter_(counter) {}

  Span sample(std::int64_t iterations) override {
    const auto add = [&] { counter_.value.fetch_add(1, std::memory_order_acq_rel); };
    return between_meetings(iterations, [&] { counter_.gate.arrive_and_wait(); }, add);
  }
  Validation validate() override {
    const std::int64_t before = counter_.value.fetch_add(1);
    const std::int64_t after = counter_.value.fetch_add(1);
    return {sizeof(std::int64_t), after > before ? 0 : static_cast<std::int64_t>(sizeof(std::int64_t))};
  }

 private:
  Counter& counter_;
};

template <typename FlowMemory, typename Each>
Method timed() {
  return {.kind = Kind::time,
          .min_sample_seconds = 20e-6,
          .arm = [](const std::string&, const Team& team, const Work& work) -> std::unique_ptr<Arm> {
            return std::make_unique<SharedArm<FlowMemory, Each>>(team, work);
          }};
}

const Register get(Benchmark{declared::rma_get(), timed<Pair, Copies>()});
const Register fetch_and_op(Benchmark{declared::rma_fetch_and_op(), timed<Counter, Additions>()});

}  // namespace
}  // namespace raddle::bench::probe
