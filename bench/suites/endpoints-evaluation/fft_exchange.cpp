// SPDX-License-Identifier: BSD-3-Clause
// The exchange of an FFT, after the evaluation of the endpoints library (docs/evidence/evaluation.md): a volume of data
// that stays the same goes from all contexts to all contexts, in blocks of each size.
#include "suites/endpoints-evaluation/fft_exchange.hpp"

#include "core/buffer.hpp"
#include "core/clock.hpp"
#include "declared/fft_exchange.hpp"
#include "mpi/benchmark.hpp"

namespace raddle::bench {
namespace {

class FftExchange final : public Worker {
 public:
  FftExchange(std::unique_ptr<ExchangeWay> way, const Work& work)
      : way_(std::move(way)),
        work_(work),
        bytes_(static_cast<std::size_t>(work.bytes)),
        out_(static_cast<std::int64_t>(way_->leaving.size()) * work.bytes, exchange_rounds(work)),
        in_(static_cast<std::int64_t>(way_->arriving.size()) * work.bytes, exchange_rounds(work)) {}

  Span sample(std::int64_t iterations) override {
    exchange(1);  // all are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) exchange(out_.count());
    return {begin, now()};
  }

  Validation validate() override {
    for (int round = 0; round < out_.count(); ++round) {
      for (std::size_t i = 0; i < way_->leaving.size(); ++i)
        fill(block(out_[round], i), way_->leaving[i].from, exchange_mark(work_, round, way_->leaving[i]));
    }
    in_.clear();
    exchange(out_.count());
    Validation result;
    for (int round = 0; round < in_.count(); ++round) {
      for (std::size_t i = 0; i < way_->arriving.size(); ++i)
        compare(block(in_[round], i), way_->arriving[i].from, exchange_mark(work_, round, way_->arriving[i]), result);
    }
    return result;
  }

 private:
  void exchange(int rounds) {
    way_->begin();
    for (int round = 0; round < rounds; ++round) way_->round(out_[round].data(), in_[round].data());
    way_->end();
  }

  [[nodiscard]] std::span<std::byte> block(std::span<std::byte> all, std::size_t i) const {
    return all.subspan(i * bytes_, bytes_);
  }

  std::unique_ptr<ExchangeWay> way_;
  const Work work_;
  const std::size_t bytes_;
  Slots out_;
  Slots in_;
};

class ExchangeArm final : public Arm {
 public:
  ExchangeArm(std::unique_ptr<ExchangeWays> ways, const Work& work) : ways_(std::move(ways)), work_(work) {}
  void begin() override { ways_->begin(); }
  std::unique_ptr<Worker> join(const Seat& seat) override {
    return std::make_unique<FftExchange>(ways_->join(seat), work_);
  }
  void quit(const Seat& seat) override { ways_->quit(seat); }
  void end() override { ways_->end(); }

 private:
  std::unique_ptr<ExchangeWays> ways_;
  Work work_;
};

std::unique_ptr<Arm> fft_arm(const std::string& variant, const Team& team, const Work& work) {
  return std::make_unique<ExchangeArm>(exchange_ways(variant, team, work), work);
}

const Register fft_exchange(Benchmark{declared::fft_exchange(), exchange_method(fft_arm)});

}  // namespace
}  // namespace raddle::bench
