// SPDX-License-Identifier: BSD-3-Clause
// Physical limit of the exchange of an FFT: all contexts at once copy what is theirs out of the others' memory, in each
// round from every one that has come that far.
#include "declared/fft_exchange.hpp"

#include <atomic>
#include <cstring>
#include <vector>

#include "core/buffer.hpp"
#include "core/clock.hpp"
#include "core/exchange.hpp"
#include "core/spin.hpp"
#include "probe/shared_arm.hpp"

namespace raddle::bench::probe {
namespace {

/// What a context shows the others.
struct alignas(line) Stand {
  std::atomic<std::uint64_t> rounds{0};  ///< that it has begun
  Slots* source = nullptr;               ///< set before anybody looks
};

struct FlowMemory {
  explicit FlowMemory(const Work& work) : stands(static_cast<std::size_t>(exchange_contexts(work))) {}
  std::vector<Stand> stands;  ///< by context
};

class Transposer final : public Worker {
 public:
  Transposer(FlowMemory& shared, const Seat& seat, const Work& work)
      : shared_(shared),
        work_(work),
        self_(seat.context),
        contexts_(exchange_contexts(work)),
        bytes_(static_cast<std::size_t>(work.bytes)),
        out_(contexts_ * work.bytes, exchange_rounds(work)),
        in_(contexts_ * work.bytes, exchange_rounds(work)) {
    stand(self_).source = &out_;
  }

  Span sample(std::int64_t iterations) override {
    exchange(1);  // all are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) exchange(out_.count());
    return {begin, now()};
  }

  Validation validate() override {
    for (int round = 0; round < out_.count(); ++round) {
      for (int to = 0; to < contexts_; ++to)
        fill(block(out_[round], to), self_, exchange_mark(work_, round, {self_, to}));
    }
    in_.clear();
    exchange(out_.count());
    Validation result;
    for (int round = 0; round < in_.count(); ++round) {
      for (int from = 0; from < contexts_; ++from)
        compare(block(in_[round], from), from, exchange_mark(work_, round, {from, self_}), result);
    }
    return result;
  }

 private:
  void exchange(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      stand(self_).rounds.store(++begun_, std::memory_order_release);
      for (int step = 0; step < contexts_; ++step) {
        const int from = (self_ + step) % contexts_;  // not all at one source
        Stand& its = stand(from);
        spin_until([&] { return its.rounds.load(std::memory_order_acquire) >= begun_; }, patient);
        const auto source = block((*its.source)[round], self_);
        std::memcpy(block(in_[round], from).data(), source.data(), source.size());
      }
      std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler may not skip a copy
    }
  }

  [[nodiscard]] Stand& stand(int context) { return shared_.stands[static_cast<std::size_t>(context)]; }
  [[nodiscard]] std::span<std::byte> block(std::span<std::byte> all, int i) const {
    return all.subspan(static_cast<std::size_t>(i) * bytes_, bytes_);
  }

  FlowMemory& shared_;
  const Work work_;
  const int self_;
  const int contexts_;
  const std::size_t bytes_;
  Slots out_;
  Slots in_;
  std::uint64_t begun_ = 0;
};

const Register fft_exchange(Benchmark{
    declared::fft_exchange(),
    exchange_method([](const std::string&, const Team& team, const Work& work) -> std::unique_ptr<Arm> {
      return std::make_unique<SharedArm<FlowMemory, Transposer>>(team, work);
    })});

}  // namespace
}  // namespace raddle::bench::probe
