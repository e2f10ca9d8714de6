// SPDX-License-Identifier: BSD-3-Clause
// The exchange of an FFT, after the evaluation of the endpoints library (docs/evaluation.md): a volume of data that
// stays the same goes from all contexts to all contexts, in blocks of each size.
#include "mpi/benchmarks/fft_exchange.hpp"

#include <algorithm>

#include "core/buffer.hpp"
#include "core/clock.hpp"
#include "mpi/benchmark.hpp"

namespace raddle::bench {
namespace {

std::int64_t contexts_of(const Work& work) { return work.threads * work.whole("parties"); }

/// Rounds of one block from each to each that make up the volume; one at least.
int rounds_of(const Work& work) {
  const std::int64_t round = contexts_of(work) * contexts_of(work) * work.bytes;
  return static_cast<int>(std::max<std::int64_t>(work.whole("volume") / round, 1));
}

class FftExchange final : public Worker {
 public:
  FftExchange(std::unique_ptr<ExchangeWay> way, const Work& work)
      : way_(std::move(way)),
        bytes_(static_cast<std::size_t>(work.bytes)),
        contexts_(static_cast<int>(contexts_of(work))),
        out_(static_cast<std::int64_t>(way_->leaving.size()) * work.bytes, rounds_of(work)),
        in_(static_cast<std::int64_t>(way_->arriving.size()) * work.bytes, rounds_of(work)) {}

  Span sample(std::int64_t iterations) override {
    exchange(1);  // all are here from now on
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) exchange(out_.count());
    return {begin, now()};
  }

  Validation validate() override {
    for (int round = 0; round < out_.count(); ++round) {
      for (std::size_t i = 0; i < way_->leaving.size(); ++i)
        fill(block(out_[round], i), way_->leaving[i].from, mark(round, way_->leaving[i]));
    }
    in_.clear();
    exchange(out_.count());
    Validation result;
    for (int round = 0; round < in_.count(); ++round) {
      for (std::size_t i = 0; i < way_->arriving.size(); ++i)
        compare(block(in_[round], i), way_->arriving[i].from, mark(round, way_->arriving[i]), result);
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
  /// Tells a sender's blocks apart.
  [[nodiscard]] int mark(int round, const Block& block) const { return round * contexts_ + block.to; }

  std::unique_ptr<ExchangeWay> way_;
  const std::size_t bytes_;
  const int contexts_;
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

std::unique_ptr<Arm> arm(const std::string& variant, const Team& team, const Work& work) {
  return std::make_unique<ExchangeArm>(exchange_ways(variant, team, work), work);
}

/// One flow of all contexts. As threads each node has a process, or all have one.
Team team(Contexts contexts, const PointSet& set) {
  const std::int64_t nodes = set.work.whole("parties");
  if (nodes < 2 || nodes > 4096) throw PlanError("'parties' must be 2 to 4096");
  if (set.work.bytes < 1) throw PlanError("'bytes' must be at least 1");
  if (set.work.whole("volume") < 1) throw PlanError("'volume' must be at least 1");
  Team team = make_team(1, set.work.threads * static_cast<int>(nodes), contexts, set.placement);
  if (contexts == Contexts::threads && set.placement != Placement::one_process)
    team.threads.assign(static_cast<std::size_t>(nodes), set.work.threads);
  return team;
}

const Register fft_exchange(Benchmark{
    "fft_exchange",
    "a fixed volume from all contexts to all contexts, as an FFT transposes its data",
    {"bandwidth", "MB/s", "higher", Kind::rate,
     [](const Work& work) { return 1e-6 * static_cast<double>(work.bytes * contexts_of(work) * rounds_of(work)); }},
    {{"bytes", 1024, "that each context has for each, at a time"},
     {"threads", 1, "contexts on each node: threads of a process, or processes"},
     {"parties", 2, "nodes"},
     {"volume", 256 << 10, "of all contexts together; what does not fit at a time goes in rounds"}},
    0,
    arm,
    {},
    team});

}  // namespace
}  // namespace raddle::bench
