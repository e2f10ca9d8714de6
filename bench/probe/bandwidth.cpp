// SPDX-License-Identifier: BSD-3-Clause
// Physical limit of a bandwidth with one copy: memcpy from the sender's memory into the receiver's, by message size,
// over as many buffers as the MPI benchmark uses.
#include "declared/bandwidth.hpp"

#include <atomic>
#include <cstring>

#include "core/buffer.hpp"
#include "core/registry.hpp"
#include "core/spin.hpp"
#include "declared/concurrent_bandwidth.hpp"
#include "probe/shared_arm.hpp"

namespace raddle::bench::probe {
namespace {

struct FlowMemory {
  explicit FlowMemory(const Work&) {}
  alignas(line) std::atomic<Slots*> source{nullptr};
  alignas(line) std::atomic<std::uint64_t> copied{0};
};

/// @tparam one_buffer every message of a window is the same one, as in concurrent_bandwidth
template <bool one_buffer>
class Copier final : public Worker {
 public:
  Copier(FlowMemory& shared, const Seat& seat, const Work& work)
      : shared_(shared),
        sends_(seat.side == Side::sender),
        flow_(seat.flow),
        window_(work.window),
        buffer_(work.bytes, one_buffer ? 1 : work.window) {
    if (sends_) shared_.source.store(&buffer_, std::memory_order_release);
  }

  Span sample(std::int64_t iterations) override {
    ++samples_;
    if (sends_) {
      spin_until([&] { return shared_.copied.load(std::memory_order_acquire) == samples_; }, patient);
      return {};
    }
    Slots& source = *shared_.source.load(std::memory_order_acquire);
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) {
      for (int message = 0; message < window_; ++message) {
        const int slot = one_buffer ? 0 : message;
        const auto from = source[slot];
        std::memcpy(buffer_[slot].data(), from.data(), from.size());
        std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler may not skip a copy
      }
    }
    const Nanoseconds end = now();
    shared_.copied.store(samples_, std::memory_order_release);
    return {begin, end};
  }

  Validation validate() override {
    Validation result;
    for (int i = 0; i < buffer_.count(); ++i) {
      if (sends_) fill(buffer_[i], flow_, i);
    }
    if (sends_) {
      filled();
    } else {
      await_filled();
      buffer_.clear();
    }
    sample(1);
    if (!sends_) {
      for (int i = 0; i < buffer_.count(); ++i) compare(buffer_[i], flow_, i, result);
    }
    return result;
  }

 private:
  // Validation alone needs the sender's data to be there first; `copied` doubles as the sign, one step ahead.
  void filled() { shared_.copied.store(~std::uint64_t{0}, std::memory_order_release); }
  void await_filled() {
    spin_until([&] { return shared_.copied.load(std::memory_order_acquire) == ~std::uint64_t{0}; }, patient);
  }

  FlowMemory& shared_;
  const bool sends_;
  const int flow_;
  const int window_;
  Slots buffer_;
  std::uint64_t samples_ = 0;
};

template <bool one_buffer>
Method copier() {
  return {.kind = Kind::rate,
          .work_per_operation = megabytes,
          .arm = [](const std::string&, const Team& team, const Work& work) -> std::unique_ptr<Arm> {
            return std::make_unique<SharedArm<FlowMemory, Copier<one_buffer>>>(team, work);
          }};
}

const Register bandwidth(Benchmark{declared::bandwidth(), copier<false>()});
const Register concurrent_bandwidth(Benchmark{declared::concurrent_bandwidth(), copier<true>()});

}  // namespace
}  // namespace raddle::bench::probe
