// SPDX-License-Identifier: BSD-3-Clause
// Windows of operations in one direction, each window with one flush, in a passive epoch that stays open: how many puts
// a second, and how many bytes of puts and of gets. A benchmark for each.
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/buffer.hpp"
#include "declared/rma_get_bandwidth.hpp"
#include "declared/rma_put_bandwidth.hpp"
#include "declared/rma_put_rate.hpp"
#include "suites/rma/rma_window.hpp"

namespace raddle::bench {
namespace {

/// @tparam puts  or gets
template <bool puts>
class OneSidedStream final : public Worker {
 public:
  OneSidedStream(MPI_Comm comm, const Seat& seat, const Work& work)
      : acts_(seat.side == Side::sender),
        flow_(seat.flow),
        stride_((static_cast<std::size_t>(work.bytes) + line - 1) / line * line),
        window_(comm, stride_ * static_cast<std::size_t>(work.window)),
        buffer_(work.bytes, work.window) {}

  Span sample(std::int64_t iterations) override {
    window_.meet();
    Span span{};
    if (acts_) {
      span.begin = now();
      for (std::int64_t i = 0; i < iterations; ++i) move();
      span.end = now();
    }
    window_.meet();  // some MPIs move with the help of the other rank
    return span;
  }

  Validation validate() override {
    Validation result;
    const bool gives = acts_ == puts;
    if (!gives) buffer_.clear();
    for (int i = 0; i < buffer_.count(); ++i) {
      // Who puts gives what is in its buffers, who is got from what is in its window.
      if (gives) fill(puts ? buffer_[i] : exposed(i), flow_, i);
    }
    window_.sync();
    sample(1);
    window_.sync();
    for (int i = 0; i < buffer_.count(); ++i) {
      if (!gives) compare(puts ? exposed(i) : buffer_[i], flow_, i, result);
    }
    window_.meet();  // what has been compared may be written again
    return result;
  }

 private:
  void move() {
    for (int i = 0; i < buffer_.count(); ++i) {
      if constexpr (puts)
        window_.start_put(buffer_[i], place(i));
      else
        window_.start_get(buffer_[i], place(i));
    }
    window_.flush(window_.partner());
  }
  [[nodiscard]] std::size_t place(int slot) const { return static_cast<std::size_t>(slot) * stride_; }
  std::span<std::byte> exposed(int slot) { return window_.own(buffer_.bytes(), place(slot)); }

  const bool acts_;
  const int flow_;
  const std::size_t stride_;
  const OpenWindow window_;
  Slots buffer_;
};

template <bool puts>
Method streamed(double (*work)(const Work&)) {
  return {.kind = Kind::rate, .work_per_operation = work, .arm = group_arm<OneSidedStream<puts>>};
}

const Register put_rate(Benchmark{declared::rma_put_rate(), streamed<true>(messages)});
const Register put_bandwidth(Benchmark{declared::rma_put_bandwidth(), streamed<true>(megabytes)});
const Register get_bandwidth(Benchmark{declared::rma_get_bandwidth(), streamed<false>(megabytes)});

}  // namespace
}  // namespace raddle::bench
