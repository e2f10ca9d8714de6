// SPDX-License-Identifier: BSD-3-Clause
// Dynamic sparse data exchange (docs/evidence/sparse-study.md): in each exchange every rank sends to some others, which
// do not know of it; by the MPI's own calls, and by Raddle's one call with each of its algorithms.
#include <algorithm>
#include <limits>

#include "core/buffer.hpp"
#include "core/clock.hpp"
#include "core/whereabouts.hpp"
#include "declared/dsde_algorithms.hpp"
#include "declared/dsde_census.hpp"
#include "declared/dsde_endpoints.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"
#include "suites/dsde/sparse_pattern.hpp"
#include "suites/dsde/sparse_ways.hpp"

namespace raddle::bench {
namespace {

/// Before anything is timed, so that what an algorithm learns in its first exchanges is learnt; but no longer than this
/// where exchanges are slow.
constexpr int warm_up_exchanges = 64;
constexpr Nanoseconds longest_warm_up = 500'000'000;
constexpr int checked_exchanges = 4;

int ranks_of(const Work& work) { return static_cast<int>(work.whole("ranks")); }

SparsePattern pattern_of(const Work& work) {
  return {work.word("pattern"), ranks_of(work), work.real("fraction"), static_cast<std::uint64_t>(work.whole("seed"))};
}

class SparseExchanger final : public Worker {
 public:
  SparseExchanger(MPI_Comm comm, const Seat& /*seat*/, const Work& work)
      : comm_(comm),
        rank_(rank_in(comm)),
        pattern_(pattern_of(work)),
        bytes_(static_cast<std::size_t>(work.bytes)),
        way_(make_sparse_way(work.word("algorithm"), comm, bytes_)),
        out_(work.bytes * ranks_of(work), 1) {}

  Span sample(std::int64_t iterations) override {
    const auto plan = next_destinations(iterations + 1);
    exchange(plan.front());  // all are here from now on
    const Nanoseconds begin = now();
    for (std::size_t i = 1; i < plan.size(); ++i) exchange(plan[i]);
    const Nanoseconds end = now();
    took_ = static_cast<double>(end - begin) / 1e3 / static_cast<double>(iterations);
    return {begin, end};
  }

  /// Some exchanges right after each other, then what is not looked at, then some more: an algorithm may have learnt
  /// meanwhile to do it in another way.
  Validation validate() override {
    Validation result;
    check_some(result);
    warm_up();
    check_some(result);
    return result;
  }

  /// An exchange is over when the last rank has all that is for it.
  [[nodiscard]] Readings readings() const override { return {took_, took_, way_->chosen(), unread, unread, unread}; }

 private:
  static int rank_in(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
  }

  void exchange(std::span<const int> dests) { way_->exchange(out_[0].data(), dests); }

  /// Of so many exchanges, so that they are not drawn while the clock runs.
  std::vector<std::vector<int>> next_destinations(std::int64_t exchanges) {
    std::vector<std::vector<int>> plan(static_cast<std::size_t>(exchanges));
    for (auto& each : plan) each = pattern_.destinations(next_++, rank_);
    return plan;
  }

  /// All stop alike: the last one decides.
  void warm_up() {
    constexpr int at_a_time = 4;
    const Nanoseconds begin = now();
    int over = 0;
    for (int done = 0; done < warm_up_exchanges && over == 0; done += at_a_time) {
      for (const auto& dests : next_destinations(at_a_time)) exchange(dests);
      const int late = now() - begin > longest_warm_up ? 1 : 0;
      check(MPI_Allreduce(&late, &over, 1, MPI_INT, MPI_MAX, comm_), "MPI_Allreduce");
    }
  }

  void check_some(Validation& result) {
    for (int i = 0; i < checked_exchanges; ++i) {
      const std::int64_t number = next_;
      const auto plan = next_destinations(1);
      const auto& dests = plan.front();
      for (std::size_t to = 0; to < dests.size(); ++to)
        fill(out_[0].subspan(to * bytes_, bytes_), rank_, mark(number, dests[to]));
      exchange(dests);
      check_arrived(number, result);
    }
  }

  /// Every message that must have come is there once, is whole and is of this exchange; and there are no others.
  void check_arrived(std::int64_t number, Validation& result) {
    auto missing = pattern_.sources(number, rank_);
    const auto size = static_cast<std::int64_t>(bytes_);
    for (const SparseWay::Message& message : way_->arrived()) {
      const auto awaited = std::ranges::find(missing, message.source);
      if (awaited == missing.end() || message.content.size() != bytes_) {
        result.wrong += size;
      } else {
        compare(message.content, message.source, mark(number, rank_), result);
        missing.erase(awaited);
      }
    }
    result.wrong += size * static_cast<std::int64_t>(missing.size());
  }

  static int mark(std::int64_t number, int dest) noexcept {
    return static_cast<int>((number * 4099 + dest) % std::numeric_limits<int>::max());
  }

  const MPI_Comm comm_;
  const int rank_;
  const SparsePattern pattern_;
  const std::size_t bytes_;
  std::unique_ptr<SparseWay> way_;
  Slots out_;
  std::int64_t next_ = 0;  ///< exchange
  double took_ = 0;        ///< us each, in the last sample
};

void check_dsde(const PointSet& set) {
  if (set.work.bytes < 1 || set.work.bytes * ranks_of(set.work) > std::numeric_limits<int>::max())
    throw PlanError("'bytes' must be at least 1, and 'ranks' times as much less than 2 GiB");
}

std::unique_ptr<Arm> dsde_arm(const std::string& variant, const Team& team, const Work& work) {
  const bool endpoint = variant.starts_with("endpoint-");
  if (!endpoint && variant != "process") throw Unavailable("those that exchange are ranks: processes or endpoints");
  check_sparse(work.word("algorithm"), endpoint);
  return group_arm<SparseExchanger>(variant, team, work);
}

Method exchange() {
  return {.kind = Kind::reading,
          .arm = dsde_arm,
          .readings = {{"exchange", Fold::most}, {"typical"}, {"chosen", Fold::most}},
          .check = check_dsde};
}

const Register of_census(Benchmark{declared::dsde_census(), exchange()});
const Register of_algorithms(Benchmark{declared::dsde_algorithms(), exchange()});
const Register of_endpoints(Benchmark{declared::dsde_endpoints(), exchange()});

}  // namespace
}  // namespace raddle::bench
