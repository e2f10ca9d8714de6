// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication (docs/evidence/partitioned-study.md): a buffer whose partitions become ready one by one
// goes from one process to another, or both ways, by each mechanism. In bursts for its bandwidth, with computation
// between partitions for what is left to do when the last one is ready, and for the price of a call that sends nothing.
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "declared/partitioned_bandwidth.hpp"
#include "declared/partitioned_ready.hpp"
#include "declared/partitioned_tail.hpp"
#include "mpi/benchmark.hpp"
#include "suites/partitioned/partitioned_work.hpp"
#include "suites/partitioned/partitioner.hpp"

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

void check_partitioned(const PointSet& set) {
  const Work& work = set.work;
  const std::int64_t partition = work.whole("partition_bytes");
  if (work.bytes < 1 || work.bytes % partition != 0) {
    throw PlanError("'bytes' must be a multiple of 'partition_bytes', and neither 0");
  }
  if (work.bytes / partition < work.threads || work.bytes / partition > most_partitions) {
    throw PlanError("there must be a partition for each thread, and no more than 1048576");
  }
}

/// A thread's last call is not timed.
void check_ready(const PointSet& set) {
  check_partitioned(set);
  if (partitions_of(set.work) < 2 * set.work.threads)
    throw PlanError("there must be two partitions for each thread: the last call of each is not timed");
}

template <PartitionedGoal goal>
std::unique_ptr<Arm> partitioned_arm(const std::string& variant, const Team& team, const Work& work) {
  check_direct(work);
  const std::string& mechanism = work.word("mechanism");
  if (completion_of(work) != "wait" && mechanism != "psend" && !mechanism.starts_with("raddle-")) {
    throw Unavailable("only a partitioned request is asked whether it is complete");
  }
  return std::make_unique<PartitionedArm>(variant, team, work, goal);
}

const Register of_bandwidth(Benchmark{
    declared::partitioned_bandwidth(),
    {.kind = Kind::reading,
     .arm = partitioned_arm<PartitionedGoal::bandwidth>,
     .readings = {{"bandwidth"}, {"perceived"}, {"tail"}, {"ready"}, {"messages"}, {"wait"}},
     .check = check_partitioned}});
const Register of_tail(Benchmark{declared::partitioned_tail(),
                                 {.kind = Kind::reading,
                                  .arm = partitioned_arm<PartitionedGoal::tail>,
                                  .readings = {{"tail"}, {"perceived"}, {"bandwidth"}, {"messages"}, {"wait"}},
                                  .check = check_partitioned}});
const Register of_ready(Benchmark{declared::partitioned_ready(),
                                  {.kind = Kind::reading,
                                   .arm = partitioned_arm<PartitionedGoal::ready>,
                                   .readings = {{"ready"}, {"messages"}},
                                   .check = check_ready}});

}  // namespace
}  // namespace raddle::bench
