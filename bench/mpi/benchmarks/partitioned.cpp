// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication (docs/partitioned-study.md): a buffer whose partitions become ready one by one goes from
// one process to another, or both ways, by each mechanism. In bursts for its bandwidth, with computation between
// partitions for what is left to do when the last one is ready, and for the price of a call that sends nothing.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "core/barrier.hpp"
#include "core/buffer.hpp"
#include "core/launch.hpp"
#include "core/whereabouts.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/benchmarks/partitioned_pattern.hpp"
#include "mpi/benchmarks/partitioned_ways.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

constexpr int data_tag = 8;      ///< and one for each partition from there on
constexpr int control_tag = 0;   ///< rounds begin and end with a word
constexpr int timeline_tag = 1;  ///< when partitions became ready, for the receiver
constexpr int most_partitions = 1 << 20;
constexpr int longest_timeline = 256;

int partitions_of(const Work& work) { return static_cast<int>(work.bytes / work.whole("partition_bytes")); }
bool has(const Work& work, const std::string& name) { return work.params.contains(name); }
bool both_ways(const Work& work) { return has(work, "order") && work.word("order") == "neighbours"; }
std::string completion_of(const Work& work) { return has(work, "completion") ? work.word("completion") : "wait"; }
bool has_spread(const Work& work) { return has(work, "spread_ms"); }

/// The contexts of a round: the threads that make partitions ready, and then those of the other process: as many where
/// it sends too, else the one that receives.
struct Sides {
  int senders;
  int threads[2];
  [[nodiscard]] int side_of(const Seat& seat) const noexcept { return seat.party < threads[0] ? 0 : 1; }
  [[nodiscard]] int place_of(const Seat& seat) const noexcept { return seat.party - side_of(seat) * threads[0]; }
  [[nodiscard]] int leader_of(int side) const noexcept { return side * threads[0]; }
};

Sides sides_of(const Work& work) {
  return {both_ways(work) ? 2 : 1, {work.threads, both_ways(work) ? work.threads : 1}};
}

/// What the threads of one side share. Its first thread leads: it makes the ends and speaks with the other side.
struct Side {
  Side(int threads, int partitions)
      : together(threads, impatient),
        last_ready(static_cast<std::size_t>(threads)),
        ready(static_cast<std::size_t>(partitions)) {}

  PartitionedEnds ends;
  ThreadBarrier together;
  Nanoseconds begin = 0;
  std::vector<Nanoseconds> last_ready;  ///< by thread
  std::vector<Nanoseconds> ready;       ///< by partition, in rounds that are recorded
};

/// What a leader finds out about rounds; sums over those of a sample.
struct Sums {
  double whole = 0;  ///< ns from the start to the arrival of everything
  double tail = 0;   ///< ns from when the last partition is ready on
  double wait = 0;   ///< ns that the sender waits after that
};

enum class Goal { bandwidth, tail, ready };

class Partitioner final : public Worker {
 public:
  Partitioner(MPI_Comm comm, const Team& team, const Seat& seat, const Work& work, Goal goal, bool endpoint,
              std::optional<Side>& slot)
      : comm_(comm),
        where_(here()),
        sides_(sides_of(work)),
        place_(sides_.place_of(seat)),
        threads_(sides_.threads[sides_.side_of(seat)]),
        sends_(sides_.side_of(seat) < sides_.senders),
        receives_(sides_.side_of(seat) == 1 || sides_.senders == 2),
        goal_(goal),
        partition_bytes_(static_cast<std::size_t>(work.whole("partition_bytes"))),
        partitions_(partitions_of(work)),
        completion_(completion_of(work)),
        slot_(slot) {
    const std::string order = has(work, "order") && !both_ways(work) ? work.word("order") : "linear";
    const int stride = has(work, "stride") ? static_cast<int>(work.whole("stride")) : 1;
    const auto all = partition_order(order, partitions_, stride);
    if (sends_) {
      const auto own = part_of(std::span<const int>(all), place_, threads_);
      own_.assign(own.begin(), own.end());
    }
    const Nanoseconds spread = has_spread(work) ? work.whole("spread_ms") * 1'000'000 : 0;
    production_.emplace(has(work, "noise") ? work.word("noise") : "none", spread, place_, threads_);
    computes_ = spread > 0;
    if (place_ != 0) return;
    // Threads of a process share its rank; endpoints have one each.
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    const int leader = sides_.leader_of(1 - sides_.side_of(seat));
    peer_ = size == team.contexts() ? leader : team.process_of(leader);
    one_clock_ = same_kernel();
    slot_.emplace(threads_, partitions_);
    const PartitionedWork about{work.word("mechanism"),
                                partition_bytes_,
                                partitions_,
                                merged(all, work.threads),
                                comm,
                                peer_,
                                data_tag,
                                endpoint};
    slot_->ends = make_partitioned_ends(sends_ ? &about : nullptr, receives_ ? &about : nullptr);
  }
  ~Partitioner() override {
    if (place_ == 0) slot_.reset();
  }
  Partitioner(const Partitioner&) = delete;
  Partitioner& operator=(const Partitioner&) = delete;

  Span sample(std::int64_t iterations) override {
    sums_ = {};
    calls_ = {};
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) round({});
    const Nanoseconds end = now();
    rounds_ = static_cast<double>(iterations);
    messages_ = place_ == 0 && sends_ ? side().ends.sender->messages() : unread;
    if (goal_ == Goal::tail && partitions_ <= longest_timeline) record();
    return sends_ && place_ == 0 ? Span{begin, end} : Span{};
  }

  /// Twice, since a mechanism's second round may go another way than its first: what has arrived is compared at once
  /// where a mechanism tells of each partition, and after completion where it does not.
  Validation validate() override {
    Validation result;
    const bool watched = completion_ == "receiver" || partitions_ <= longest_timeline;
    for (int sequence = 1; sequence <= 2; ++sequence) {
      if (place_ == 0) prepare(sequence);
      const auto verify = [&](int partition) {
        compare(side().ends.receiver->partition(partition, partition_bytes_), partition, sequence, result);
      };
      round(watched && sequence == 2 ? PartitionedReceiver::Arrived(verify) : PartitionedReceiver::Arrived());
      if (place_ != 0 || !receives_ || (watched && sequence == 2)) continue;
      for (int i = 0; i < partitions_; ++i) verify(i);
    }
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    const double ready = calls_.calls > 0 ? calls_.nanoseconds / calls_.calls : unread;
    const bool timed = sends_ && place_ == 0;
    const double megabytes = 1e-6 * static_cast<double>(partition_bytes_) * partitions_ * rounds_;
    const double bandwidth = timed ? megabytes / (sums_.whole * 1e-9) : unread;
    const double perceived = timed ? megabytes / (std::max(sums_.tail, 1.0) * 1e-9) : unread;
    const double tail = timed ? sums_.tail / rounds_ / 1e3 : unread;
    const double wait = timed ? sums_.wait / rounds_ / 1e3 : unread;
    switch (goal_) {
      case Goal::bandwidth:
        return {bandwidth, perceived, tail, ready, messages_, wait};
      case Goal::tail:
        return {tail, perceived, bandwidth, messages_, wait, unread};
      case Goal::ready:
        break;
    }
    return {ready, messages_, unread, unread, unread, unread};
  }

  /// When each partition became ready, and then when each arrived.
  [[nodiscard]] std::vector<double> trace() const override { return timeline_; }

 private:
  struct Calls {
    double nanoseconds = 0;
    double calls = 0;
  };

  Side& side() { return *slot_; }
  void together() {
    if (threads_ > 1) side().together.arrive_and_wait();
  }

  /// Both begin when receives are posted. @param watcher hears of each partition; none: nobody asks before all are
  /// there
  void round(const PartitionedReceiver::Arrived& watcher) {
    const auto due = computes_ ? production_->round(own_.size()) : std::vector<Nanoseconds>{};
    if (place_ == 0) {
      if (receives_) side().ends.receiver->start();
      meet(0);
    }
    together();
    if (sends_) {
      if (place_ == 0) {
        side().begin = now();
        side().ends.sender->start();
      }
      together();
      computes_ ? produce(due) : burst();
      together();
    }
    if (place_ == 0) complete(watcher);
    together();
  }

  /// All partitions of this thread, one after the other. The last one is called when the time is noted: what is timed
  /// are those before it.
  void burst() {
    if (own_.empty()) return;
    PartitionedSender& sender = *side().ends.sender;
    const Nanoseconds first = now();
    for (std::size_t i = 0; i + 1 < own_.size(); ++i) sender.ready(own_[i]);
    const Nanoseconds last = now();
    side().last_ready[static_cast<std::size_t>(place_)] = last;
    sender.ready(own_.back());
    calls_.nanoseconds += static_cast<double>(last - first);
    calls_.calls += static_cast<double>(own_.size()) - 1;
  }

  /// The same with computation before each.
  void produce(const std::vector<Nanoseconds>& due) {
    PartitionedSender& sender = *side().ends.sender;
    const Nanoseconds begin = side().begin;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      Nanoseconds moment = now();
      for (; moment < begin + due[i]; moment = now()) cpu_pause();
      side().ready[static_cast<std::size_t>(own_[i])] = moment;
      side().last_ready[static_cast<std::size_t>(place_)] = moment;
      sender.ready(own_[i]);
    }
  }

  void complete(const PartitionedReceiver::Arrived& watcher) {
    const Nanoseconds last = *std::ranges::max_element(side().last_ready);
    Nanoseconds arrived = 0;
    if (sends_) {
      completion_ == "sender" ? side().ends.sender->ask() : side().ends.sender->wait();
      sums_.wait += static_cast<double>(now() - last);
    }
    if (receives_) {
      if (watcher) {
        side().ends.receiver->watch(watcher);
      } else if (completion_ == "receiver") {
        side().ends.receiver->watch([](int) {});
      } else {
        side().ends.receiver->wait();
      }
      arrived = now();
    }
    const Nanoseconds word = meet(arrived);
    if (!sends_) return;
    const Nanoseconds there = one_clock_ ? word : now();
    sums_.whole += static_cast<double>(there - side().begin);
    sums_.tail += static_cast<double>(there - last);
  }

  /// A word from who receives to who sends. @returns that of the other side
  Nanoseconds meet(Nanoseconds word) {
    where_.enter("MPI_Send or MPI_Recv of a word", peer_, control_tag);
    Nanoseconds its = 0;
    if (sends_ && receives_) {
      check(MPI_Sendrecv(&word, 1, MPI_INT64_T, peer_, control_tag, &its, 1, MPI_INT64_T, peer_, control_tag, comm_,
                         MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
    } else if (receives_) {
      check(MPI_Send(&word, 1, MPI_INT64_T, peer_, control_tag, comm_), "MPI_Send");
    } else {
      check(MPI_Recv(&its, 1, MPI_INT64_T, peer_, control_tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    return its;
  }

  /// One more round, in which the receiver asks for each partition: to be shown, and in no figure.
  void record() {
    const Sums kept = sums_;
    std::vector<Nanoseconds> arrived(static_cast<std::size_t>(partitions_));
    round([&](int partition) { arrived[static_cast<std::size_t>(partition)] = now(); });
    sums_ = kept;
    if (place_ != 0) return;
    std::vector<Nanoseconds> ready = side().ready;
    ready.push_back(side().begin);
    const int length = partitions_ + 1;
    where_.enter("MPI_Sendrecv of a timeline", peer_, timeline_tag);
    check(MPI_Sendrecv_replace(ready.data(), length, MPI_INT64_T, peer_, timeline_tag, peer_, timeline_tag, comm_,
                               MPI_STATUS_IGNORE),
          "MPI_Sendrecv_replace");
    if (!receives_ || !one_clock_) return;
    const Nanoseconds begin = ready.back();
    ready.pop_back();
    timeline_.clear();
    for (const auto& moments : {ready, arrived}) {
      for (const Nanoseconds moment : moments) timeline_.push_back(static_cast<double>(moment - begin) / 1e3);
    }
  }

  void prepare(int sequence) {
    if (sends_) {
      for (int i = 0; i < partitions_; ++i) fill(side().ends.sender->partition(i, partition_bytes_), i, sequence);
    }
    if (receives_) std::ranges::fill(side().ends.receiver->buffer(), std::byte{0});
  }

  /// Whether times of the two processes can be compared.
  bool same_kernel() {
    std::array<char, 64> own{};
    std::array<char, 64> other{};
    const std::string id = kernel_id();
    std::copy_n(id.begin(), std::min(id.size(), own.size()), own.begin());
    where_.enter("MPI_Sendrecv of the kernel's name", peer_, control_tag);
    check(MPI_Sendrecv(own.data(), 64, MPI_CHAR, peer_, control_tag, other.data(), 64, MPI_CHAR, peer_, control_tag,
                       comm_, MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
    return own == other;
  }

  const MPI_Comm comm_;
  Whereabouts& where_;
  const Sides sides_;
  const int place_;    ///< among the threads of its side
  const int threads_;  ///< of its side
  const bool sends_;
  const bool receives_;
  const Goal goal_;
  const std::size_t partition_bytes_;
  const int partitions_;
  const std::string completion_;
  std::optional<Side>& slot_;
  std::vector<int> own_;  ///< the partitions that this thread makes ready, in order
  std::optional<Production> production_;
  bool computes_ = false;
  int peer_ = 0;
  bool one_clock_ = true;
  // Of the last sample.
  Sums sums_;
  Calls calls_;
  double rounds_ = 1;
  double messages_ = unread;
  std::vector<double> timeline_;
};

class PartitionedArm final : public Arm {
 public:
  PartitionedArm(const std::string& variant, const Team& team, const Work& work, Goal goal)
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
    return std::make_unique<Partitioner>(groups_->open(seat), team_, seat, work_, goal_, endpoint_, slots_[side]);
  }
  void quit(const Seat& seat) override { groups_->close(seat); }
  void end() override { groups_->end(); }

 private:
  const bool endpoint_;
  Team team_;
  Work work_;
  const Goal goal_;
  std::unique_ptr<Groups> groups_;
  std::array<std::optional<Side>, 2> slots_;  ///< where both sides are in one process, both
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
  const Sides sides = sides_of(set.work);
  Team result = make_team(1, sides.threads[0] + sides.threads[1], contexts, set.placement);
  if (set.placement != Placement::one_process) result.threads = {sides.threads[0], sides.threads[1]};
  return result;
}

template <Goal goal>
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
    arm<Goal::bandwidth>,
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
    arm<Goal::tail>,
    {{"tail"}, {"perceived"}, {"bandwidth"}, {"messages"}, {"wait"}},
    team});

const Register ready(Benchmark{"partitioned_ready",
                               "calls that make a partition ready and are not a thread's last, which may send it",
                               {"ready", "ns", "lower", Kind::reading},
                               {bytes, threads, mechanism, {"partition_bytes", 512, "of a partition"}, direct},
                               0,
                               arm<Goal::ready>,
                               {{"ready"}, {"messages"}},
                               team});

}  // namespace
}  // namespace raddle::bench
