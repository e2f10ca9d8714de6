// SPDX-License-Identifier: BSD-3-Clause
#include "suites/partitioned/partitioner.hpp"

#include <algorithm>

#include "core/buffer.hpp"
#include "core/whereabouts.hpp"
#include "mpi/check.hpp"
#include "suites/partitioned/partitioned_pattern.hpp"
#include "suites/partitioned/partitioned_work.hpp"

namespace raddle::bench {
namespace {

constexpr int data_tag = 8;      ///< and one for each partition from there on
constexpr int control_tag = 0;   ///< rounds begin and end with a word
constexpr int timeline_tag = 1;  ///< when partitions became ready, for the receiver
constexpr int longest_timeline = 256;

/// What a leader finds out about rounds; sums over those of a sample.
struct Sums {
  double whole = 0;  ///< ns from the start to the arrival of everything
  double tail = 0;   ///< ns from when the last partition is ready on
  double wait = 0;   ///< ns that the sender waits after that
};

class Partitioner final : public Worker {
 public:
  Partitioner(MPI_Comm comm, const Team& team, const Seat& seat, const Work& work, PartitionedGoal goal, bool endpoint,
              std::unique_ptr<PartitionedSide>& slot)
      : comm_(comm),
        where_(here()),
        sides_(sides_of(work)),
        place_(sides_.place_of(seat)),
        threads_(sides_.threads[sides_.side_of(seat)]),
        sends_(sides_.side_of(seat) < sides_.senders),
        receives_(sides_.side_of(seat) == 1 || sides_.senders == 2),
        one_clock_(seat.one_clock),
        goal_(goal),
        partition_bytes_(static_cast<std::size_t>(work.whole("partition_bytes"))),
        partitions_(partitions_of(work)),
        completion_(completion_of(work)),
        slot_(slot),
        production_(has(work, "noise") ? work.word("noise") : "none", spread_of(work), place_, threads_),
        computes_(spread_of(work) > 0) {
    const std::string order = has(work, "order") && !both_ways(work) ? work.word("order") : "linear";
    const int stride = has(work, "stride") ? static_cast<int>(work.whole("stride")) : 1;
    const auto all = partition_order(order, partitions_, stride);
    if (sends_) {
      const auto own = part_of(std::span<const int>(all), place_, threads_);
      own_.assign(own.begin(), own.end());
    }
    if (place_ != 0) return;
    // Threads of a process share its rank; endpoints have one each.
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    const int leader = sides_.leader_of(1 - sides_.side_of(seat));
    peer_ = size == team.contexts() ? leader : team.process_of(leader);
    slot_ = std::make_unique<PartitionedSide>(threads_, partitions_);
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
    if (goal_ == PartitionedGoal::tail && partitions_ <= longest_timeline) record();
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
      case PartitionedGoal::bandwidth:
        return {bandwidth, perceived, tail, ready, messages_, wait};
      case PartitionedGoal::tail:
        return {tail, perceived, bandwidth, messages_, wait, unread};
      case PartitionedGoal::ready:
        break;
    }
    return {ready, messages_, unread, unread, unread, unread};
  }

  /// When each partition became ready, and then when each arrived.
  [[nodiscard]] std::vector<double> trace() const override { return timeline_; }

 private:
  struct CallTimes {
    double nanoseconds = 0;
    double calls = 0;
  };

  PartitionedSide& side() { return *slot_; }
  void together() {
    if (threads_ > 1) side().together.arrive_and_wait();
  }

  /// Both begin when receives are posted. @param watcher hears of each partition; none: nobody asks before all are
  /// there
  void round(const PartitionedReceiver::Arrived& watcher) {
    const auto due = computes_ ? production_.round(own_.size()) : std::vector<Nanoseconds>{};
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

  const MPI_Comm comm_;
  Whereabouts& where_;
  const PartitionedSides sides_;
  const int place_;    ///< among the threads of its side
  const int threads_;  ///< of its side
  const bool sends_;
  const bool receives_;
  const bool one_clock_;
  const PartitionedGoal goal_;
  const std::size_t partition_bytes_;
  const int partitions_;
  const std::string completion_;
  std::unique_ptr<PartitionedSide>& slot_;
  std::vector<int> own_;  ///< the partitions that this thread makes ready, in order
  Production production_;
  const bool computes_;
  int peer_ = 0;
  // Of the last sample.
  Sums sums_;
  CallTimes calls_;
  double rounds_ = 1;
  double messages_ = unread;
  std::vector<double> timeline_;
};

}  // namespace

std::unique_ptr<Worker> make_partitioner(MPI_Comm comm, const Team& team, const Seat& seat, const Work& work,
                                         PartitionedGoal goal, bool endpoint, std::unique_ptr<PartitionedSide>& slot) {
  return std::make_unique<Partitioner>(comm, team, seat, work, goal, endpoint, slot);
}

}  // namespace raddle::bench
