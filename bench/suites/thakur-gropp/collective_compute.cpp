// SPDX-License-Identifier: BSD-3-Clause
// T8 of Thakur and Gropp: what a thread in a collective leaves to the threads that compute
// (docs/evidence/thakur-gropp.md). Flow 0 is the collective, the other flows compute. A sample has three phases of
// equal length: computation alone, both, the collective alone; who has nothing to do sleeps.
#include "declared/collective_compute.hpp"

#include <sched.h>

#include <algorithm>
#include <vector>

#include "core/buffer.hpp"
#include "core/kernel.hpp"
#include "core/whereabouts.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

constexpr Nanoseconds slice = 5'000'000;  // that one operation gives to each phase

class CollectiveOrCompute final : public Worker {
 public:
  CollectiveOrCompute(MPI_Comm comm, const Seat& seat, const Work& work)
      : comm_(comm),
        where_(here()),
        rank_(seat.party),
        communicates_(seat.flow == 0),
        yields_(work.whole("yield") != 0),
        kernel_(work.word("kernel")),
        in_(communicates_ ? static_cast<std::size_t>(std::max<std::int64_t>(work.bytes / 4, 1)) : 0, 1),
        out_(in_.size()) {}

  void start_at(Nanoseconds moment) override { start_ = moment; }

  Span sample(std::int64_t iterations) override {
    const Nanoseconds phase = iterations * slice;
    return communicates_ ? communicate(phase) : compute(phase);
  }

  Validation validate() override {
    Validation result;
    if (!communicates_) return result;
    int size = 0;
    check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i] = value(rank_, i);
    std::ranges::fill(out_, -1);
    reduce();
    for (std::size_t i = 0; i < out_.size(); ++i) {
      int expected = value(0, i);
      for (int party = 1; party < size; ++party) expected = std::max(expected, value(party, i));
      if (out_[i] != expected) result.wrong += sizeof(int);
    }
    result.bytes += static_cast<std::int64_t>(out_.size() * sizeof(int));
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    if (communicates_) return {unread, unread, unread, with_, without_, unread};
    return {with_ / without_, with_, without_, unread, unread, unread};
  }

 private:
  /// Kernels a second, first alone, then beside the collective.
  Span compute(Nanoseconds phase) {
    sleep_until(start_);
    without_ = kernels(start_ + phase);
    sleep_until(start_ + phase);
    const Nanoseconds begin = now();
    with_ = kernels(start_ + 2 * phase);
    const Nanoseconds end = now();
    sleep_until(start_ + 3 * phase);
    return {begin, end};
  }
  double kernels(Nanoseconds until) {
    const Nanoseconds begin = now();
    std::int64_t count = 0;
    Nanoseconds end;  // NOLINT(cppcoreguidelines-init-variables): the loop runs at least once
    do {
      kernel_.run(1);
      ++count;
      if (yields_) sched_yield();
      end = now();
    } while (end < until);
    return static_cast<double>(count) * 1e9 / static_cast<double>(end - begin);
  }

  /// Microseconds a collective takes, first beside the computation, then alone.
  Span communicate(Nanoseconds phase) {
    sleep_until(start_ + phase);
    with_ = reductions(start_ + 2 * phase);
    sleep_until(start_ + 2 * phase);
    without_ = reductions(start_ + 3 * phase);
    return {};
  }
  double reductions(Nanoseconds until) {
    const Nanoseconds begin = now();
    std::int64_t count = 0;
    bool over = false;
    do {
      // The parties' clocks differ by when they look, so the reduction itself decides for all whether it was the last.
      in_[0] = now() >= until ? 1 : 0;
      reduce();
      over = out_[0] != 0;
      ++count;
    } while (!over);
    return static_cast<double>(now() - begin) / 1e3 / static_cast<double>(count);
  }
  void reduce() {
    where_.enter("MPI_Allreduce");
    check(MPI_Allreduce(in_.data(), out_.data(), static_cast<int>(in_.size()), MPI_INT, MPI_MAX, comm_),
          "MPI_Allreduce");
  }
  static int value(int party, std::size_t i) noexcept { return static_cast<int>(pattern(0, party, i) >> 33U); }

  const MPI_Comm comm_;
  Whereabouts& where_;
  const int rank_;
  const bool communicates_;
  const bool yields_;
  Kernel kernel_;
  std::vector<int> in_;
  std::vector<int> out_;
  Nanoseconds start_ = 0;
  double with_ = 1;
  double without_ = 1;
};

const Register collective_compute(Benchmark{
    declared::collective_compute(),
    {.kind = Kind::reading,
     .min_sample_seconds = 15e-3,
     .arm = group_arm<CollectiveOrCompute>,
     .readings = {{"availability"}, {"kernels_with"}, {"kernels_without"}, {"collective_with"}, {"collective_without"}},
     .common_start = true}});

}  // namespace
}  // namespace raddle::bench
