// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication (docs/partitioned-study.md): a buffer whose partitions become ready one by one goes from
// one process to another, or both ways, by each mechanism. In bursts for its bandwidth, with computation between
// partitions for what is left to do when the last one is ready, and for the price of a call that sends nothing.
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/partitioned_work.hpp"
#include "mpi/benchmarks/partitioner.hpp"

namespace raddle::bench {
namespace {

constexpr int most_partitions = 1 << 20;

class PartitionedArm final : public Arm {
 public:
  PartitionedArm(const std::string& variant, const Team& team, const Work& work, PartitionedGoal goal)
      : endpoint_(variant.starts_with("endpoint-")),
        team_(team),
        work_(work),
        goal_(goal),
        groups_(make_links<MPI_Comm>(variant, team)) {
    check_partitioned(work.word("mechanism"), endpoint_);
  }
  void begin() override { groups_->begin(); }
  std::unique_ptr<Worker> join(const Seat& seat) override {
    const auto side = static_cast<std::size_t>(sides_of(work_).side_of(seat));
    return make_partitioner(groups_->open(seat), team_, seat, work_, goal_, endpoint_, slots_[side]);
  }
  void quit(const Seat& seat) override { groups_->close(seat); }
  void end() override { groups_->end(); }

 private:
  const bool endpoint_;
  Team team_;
  Work work_;
  const PartitionedGoal goal_;
  std::unique_ptr<Groups> groups_;
  std::array<std::unique_ptr<PartitionedSide>, 2> slots_;  ///< where both sides are in one process, both
};

/// Whether data may go straight into the receiver's buffer is fixed when the processes start.
void check_direct(const Work& work) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* const setting = std::getenv("RADDLE_PART_DIRECT");
  const bool forbidden = setting != nullptr && std::string_view(setting) == "0";
  if (forbidden != (work.word("direct") == "no")) {
    throw PlanError(forbidden ? "this launch has RADDLE_PART_DIRECT=0, and 'direct' is not 'no'"
                              : "'direct' is 'no', and this launch has no RADDLE_PART_DIRECT=0");
  }
}

void check_work(const Work& work) {
  const std::int64_t partition = work.whole("partition_bytes");
  if (work.bytes < 1 || partition < 1 || work.bytes % partition != 0) {
    throw PlanError("'bytes' must be a multiple of 'partition_bytes', and neither 0");
  }
  if (work.bytes / partition < work.threads || work.bytes / partition > most_partitions) {
    throw PlanError("there must be a partition for each thread, and no more than 1048576");
  }
  if (has(work, "stride") && work.whole("stride") < 1) throw PlanError("'stride' must be at least 1");
  if (has_spread(work) && (work.whole("spread_ms") < 1 || work.whole("spread_ms") > 1000)) {
    throw PlanError("'spread_ms' must be 1 to 1000");
  }
}

Team team(Contexts contexts, const PointSet& set) {
  check_work(set.work);
  if (contexts == Contexts::processes && set.work.threads != 1) {
    throw PlanError("partitions of one buffer are made ready by threads, not by several processes");
  }
  const PartitionedSides sides = sides_of(set.work);
  Team result = make_team(1, sides.threads[0] + sides.threads[1], contexts, set.placement);
  if (set.placement != Placement::one_process) result.threads = {sides.threads[0], sides.threads[1]};
  return result;
}

/// A thread's last call is not timed.
Team team_of_ready(Contexts contexts, const PointSet& set) {
  Team result = team(contexts, set);
  if (partitions_of(set.work) < 2 * set.work.threads)
    throw PlanError("there must be two partitions for each thread: the last call of each is not timed");
  return result;
}

template <PartitionedGoal goal>
std::unique_ptr<Arm> arm(const std::string& variant, const Team& team, const Work& work) {
  check_direct(work);
  const std::string& mechanism = work.word("mechanism");
  if (completion_of(work) != "wait" && mechanism != "psend" && !mechanism.starts_with("raddle-")) {
    throw Unavailable("only a partitioned request is asked whether it is complete");
  }
  return std::make_unique<PartitionedArm>(variant, team, work, goal);
}

const Param bytes{"bytes", 8 << 20, "of the buffer"};
const Param threads{"threads", 1, "that make partitions ready"};
const Param mechanism{"mechanism", std::string("raddle-auto"), "by which the partitions get there",
                      partitioned_mechanisms()};
const Param direct{
    "direct", std::string("yes"), "whether Raddle may write into the receiver's buffer on a node", {"yes", "no"}};

const Register bandwidth(Benchmark{
    "partitioned_bandwidth",
    "a buffer in partitions that become ready one right after the other; from the start until all is there",
    {"bandwidth", "MB/s", "higher", Kind::reading},
    {bytes,
     threads,
     mechanism,
     {"partition_bytes", 64 << 10, "of a partition"},
     {"order",
      std::string("linear"),
      "in which they become ready; neighbours: both processes send and receive",
      {"linear", "inverse", "random", "stride", "neighbours"}},
     {"stride", 128, "of that order: every so many"},
     {"completion",
      std::string("wait"),
      "who asks whether it is complete instead of waiting",
      {"wait", "sender", "receiver"}},
     direct},
    0,
    arm<PartitionedGoal::bandwidth>,
    {{"bandwidth"}, {"perceived"}, {"tail"}, {"ready"}, {"messages"}, {"wait"}},
    team});

const Register tail(Benchmark{
    "partitioned_tail",
    "the same with computation before each partition; from when the last one is ready until all is there",
    {"tail", "us", "lower", Kind::reading},
    {bytes,
     threads,
     mechanism,
     {"partition_bytes", 128 << 10, "of a partition"},
     {"spread_ms", 8, "that all of a thread's partitions take to compute"},
     {"noise", std::string("none"), "how computation is drawn out", {"none", "uniform", "gaussian", "single"}},
     direct},
    0,
    arm<PartitionedGoal::tail>,
    {{"tail"}, {"perceived"}, {"bandwidth"}, {"messages"}, {"wait"}},
    team});

const Register ready(Benchmark{"partitioned_ready",
                               "calls that make a partition ready and are not a thread's last, which may send it",
                               {"ready", "ns", "lower", Kind::reading},
                               {bytes, threads, mechanism, {"partition_bytes", 512, "of a partition"}, direct},
                               0,
                               arm<PartitionedGoal::ready>,
                               {{"ready"}, {"messages"}},
                               team_of_ready});

}  // namespace
}  // namespace raddle::bench
