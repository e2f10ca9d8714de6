// SPDX-License-Identifier: BSD-3-Clause
// Physical limits of one-sided communication: copies out of and into memory that another core has written, and atomic
// operations on one counter and a lock by all. That of a put is a cache line there and back (latency.cpp).
#include <atomic>
#include <cstring>

#include "core/barrier.hpp"
#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "core/registry.hpp"
#include "core/spin.hpp"
#include "declared/rma_compare_and_swap.hpp"
#include "declared/rma_counter.hpp"
#include "declared/rma_fetch_and_op.hpp"
#include "declared/rma_get.hpp"
#include "declared/rma_get_bandwidth.hpp"
#include "declared/rma_lock.hpp"
#include "declared/rma_put_bandwidth.hpp"
#include "declared/rma_put_rate.hpp"
#include "probe/shared_arm.hpp"

namespace raddle::bench::probe {
namespace {

struct Pair {
  explicit Pair(const Work& work) : sender(work.bytes, 1), receiver(work.bytes, 1) {}
  Slots sender;
  Slots receiver;
  ThreadBarrier gate{2, patient};
};

struct WindowedPair {
  explicit WindowedPair(const Work& work) : exposed(work.bytes, work.window) {}
  Slots exposed;
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

/// Windows of copies in one direction, as puts or as gets.
template <bool puts>
class StreamedCopies final : public Worker {
 public:
  StreamedCopies(WindowedPair& pair, const Seat& seat, const Work& work)
      : pair_(pair), acts_(seat.side == Side::sender), flow_(seat.flow), buffer_(work.bytes, work.window) {}

  Span sample(std::int64_t iterations) override {
    pair_.gate.arrive_and_wait();
    Span span{};
    if (acts_) {
      span.begin = now();
      for (std::int64_t i = 0; i < iterations; ++i) move();
      span.end = now();
    }
    pair_.gate.arrive_and_wait();
    return span;
  }
  Validation validate() override {
    Validation result;
    for (int i = 0; i < buffer_.count(); ++i) {
      if (acts_ == puts) fill(puts ? buffer_[i] : pair_.exposed[i], flow_, i);
    }
    sample(1);
    for (int i = 0; i < buffer_.count(); ++i) {
      if (acts_ != puts) compare(puts ? pair_.exposed[i] : buffer_[i], flow_, i, result);
    }
    pair_.gate.arrive_and_wait();
    return result;
  }

 private:
  void move() {
    for (int i = 0; i < buffer_.count(); ++i) {
      const auto from = puts ? buffer_[i] : pair_.exposed[i];
      const auto to = puts ? pair_.exposed[i] : buffer_[i];
      std::memcpy(to.data(), from.data(), from.size());
      asm volatile("" : : "r"(to.data()) : "memory");  // each copy is made
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  WindowedPair& pair_;
  const bool acts_;
  const int flow_;
  Slots buffer_;
};

/// What several contexts want at once.
struct Wanted {
  explicit Wanted(const Work& work)
      : gate(work.params.contains("ranks") ? static_cast<int>(work.whole("ranks")) : 2 * work.threads, patient) {}
  alignas(line) std::atomic<std::int64_t> value{0};
  alignas(line) std::atomic<bool> taken{false};
  ThreadBarrier gate;
};

struct Addition {
  void operator()(Wanted& wanted) { wanted.value.fetch_add(1, std::memory_order_acq_rel); }
};
struct Swap {
  void operator()(Wanted& wanted) {
    if (wanted.value.compare_exchange_strong(last, last + 1)) ++last;
  }
  std::int64_t last = 0;
};
/// By an exchange until it finds the lock free, and a store: as little as keeps others out.
struct Locking {
  void operator()(Wanted& wanted) {
    spin_until([&] { return !wanted.taken.exchange(true, std::memory_order_acquire); }, patient);
    wanted.value.store(wanted.value.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    wanted.taken.store(false, std::memory_order_release);
  }
};

template <typename Act>
class Together final : public Worker {
 public:
  Together(Wanted& wanted, const Seat&, const Work&) : wanted_(wanted) {}

  Span sample(std::int64_t iterations) override {
    return between_meetings(iterations, [&] { wanted_.gate.arrive_and_wait(); }, [&] { act_(wanted_); });
  }
  /// Enough tries that one is not in vain.
  Validation validate() override {
    const std::int64_t before = wanted_.value.load();
    while (wanted_.value.load() == before) act_(wanted_);
    return {sizeof before, wanted_.value.load() > before ? 0 : static_cast<std::int64_t>(sizeof before)};
  }

 private:
  Wanted& wanted_;
  Act act_;
};

template <typename FlowMemory, typename Each>
Method measured(Kind kind, double (*work)(const Work&)) {
  return {.kind = kind,
          .work_per_operation = work,
          .min_sample_seconds = 20e-6,
          .arm = [](const std::string&, const Team& team, const Work& what) -> std::unique_ptr<Arm> {
            return std::make_unique<SharedArm<FlowMemory, Each>>(team, what);
          }};
}
template <typename FlowMemory, typename Each>
Method timed() {
  return measured<FlowMemory, Each>(Kind::time, once);
}

const Register get(Benchmark{declared::rma_get(), timed<Pair, Copies>()});
const Register fetch_and_op(Benchmark{declared::rma_fetch_and_op(), timed<Wanted, Together<Addition>>()});
const Register counter(Benchmark{declared::rma_counter(), timed<Wanted, Together<Addition>>()});
const Register compare_and_swap(Benchmark{declared::rma_compare_and_swap(), timed<Wanted, Together<Swap>>()});
const Register lock(Benchmark{declared::rma_lock(), timed<Wanted, Together<Locking>>()});
const Register put_rate(Benchmark{declared::rma_put_rate(),
                                  measured<WindowedPair, StreamedCopies<true>>(Kind::rate, messages)});
const Register put_bandwidth(Benchmark{declared::rma_put_bandwidth(),
                                       measured<WindowedPair, StreamedCopies<true>>(Kind::rate, megabytes)});
const Register get_bandwidth(Benchmark{declared::rma_get_bandwidth(),
                                       measured<WindowedPair, StreamedCopies<false>>(Kind::rate, megabytes)});

}  // namespace
}  // namespace raddle::bench::probe
