// SPDX-License-Identifier: BSD-3-Clause
// T6 of Thakur and Gropp: does communication proceed while the application computes (docs/evidence/thakur-gropp.md)?
// Each sample times the exchange alone, the computation alone, which is as long as that says, and both.
#include "declared/overlap.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "core/affinity.hpp"
#include "core/buffer.hpp"
#include "core/kernel.hpp"
#include "core/whereabouts.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

/// A thread inside the MPI library, so that the library may proceed there: blocked in a receive (the paper's way), or
/// probing.
class Helper {
 public:
  Helper(MPI_Comm self, bool probes, int cpu)
      : self_(self), thread_([this, probes, cpu] { probes ? probe(cpu) : block(cpu); }) {}
  ~Helper() {
    over_.store(true, std::memory_order_relaxed);
    MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, self_);
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

 private:
  void block(int cpu) {
    if (cpu >= 0) pin_to(cpu);
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, self_, MPI_STATUS_IGNORE);
  }
  void probe(int cpu) {
    if (cpu >= 0) pin_to(cpu);
    int flag = 0;
    while (!over_.load(std::memory_order_relaxed)) MPI_Iprobe(0, 0, self_, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, self_, MPI_STATUS_IGNORE);
  }

  MPI_Comm self_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

class NeighbourExchange final : public Worker {
 public:
  NeighbourExchange(MPI_Comm comm, const Seat& seat, const Work& work)
      : comm_(comm),
        where_(here()),
        rank_(seat.party),
        peers_(peers(seat.party, static_cast<int>(work.whole("neighbours")))),
        ratio_(work.real("ratio")),
        progress_(work.word("progress")),
        helper_cpu_(seat.helper_cpu),
        out_(work.bytes, static_cast<int>(peers_.size())),
        in_(work.bytes, static_cast<int>(peers_.size())),
        requests_(2 * peers_.size(), MPI_REQUEST_NULL),
        kernel_("cache") {
    check(MPI_Comm_dup(MPI_COMM_SELF, &self_), "MPI_Comm_dup");
  }
  ~NeighbourExchange() override { MPI_Comm_free(&self_); }
  NeighbourExchange(const NeighbourExchange&) = delete;
  NeighbourExchange& operator=(const NeighbourExchange&) = delete;

  Span sample(std::int64_t iterations) override {
    exchange_ = time(iterations, [&] { post(), complete(); });
    plan_computation();
    compute_ = time(iterations, [&] { kernel_.run(units_); });
    meet();
    const auto both = [&] { return time(iterations, [&] { post(), kernel_.run(units_), complete(); }); };
    const Nanoseconds begin = now();
    if (progress_ == "thread" || progress_ == "probe") {
      const Helper helper(self_, progress_ == "probe", helper_cpu_);
      both_ = both();
    } else {
      both_ = both();
    }
    return {begin, now()};
  }

  Validation validate() override {
    Validation result;
    in_.clear();
    for (std::size_t i = 0; i < peers_.size(); ++i) fill(out_[static_cast<int>(i)], rank_, peers_[i]);
    post();
    complete();
    for (std::size_t i = 0; i < peers_.size(); ++i) compare(in_[static_cast<int>(i)], peers_[i], rank_, result);
    return result;
  }

  [[nodiscard]] Readings readings() const override {
    const double hidden = (exchange_ + compute_ - both_) / std::min(exchange_, compute_);
    return {both_ / exchange_, exchange_, compute_, both_, hidden, unread};
  }

 private:
  /// One neighbour: the other of a pair. More: as many to the left as to the right.
  static std::vector<int> peers(int rank, int neighbours) {
    const int parties = neighbours + 1;
    std::vector<int> result;
    for (int distance = 1; distance <= (neighbours + 1) / 2; ++distance) {
      result.push_back((rank + distance) % parties);
      if (static_cast<int>(result.size()) < neighbours) result.push_back((rank - distance + parties) % parties);
    }
    return result;
  }

  void post() {
    where_.enter("MPI_Irecv and MPI_Isend with neighbours");
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const auto slot = in_[static_cast<int>(i)];
      check(MPI_Irecv(slot.data(), static_cast<int>(slot.size()), MPI_BYTE, peers_[i], 0, comm_, &requests_[2 * i]),
            "MPI_Irecv");
    }
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const auto slot = out_[static_cast<int>(i)];
      check(MPI_Isend(slot.data(), static_cast<int>(slot.size()), MPI_BYTE, peers_[i], 0, comm_, &requests_[2 * i + 1]),
            "MPI_Isend");
    }
  }
  void complete() {
    where_.enter("MPI_Waitall with neighbours");
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
  void meet() {
    where_.enter("MPI_Barrier");
    check(MPI_Barrier(comm_), "MPI_Barrier");
  }

  /// Microseconds of one of `iterations`.
  template <typename Body>
  double time(std::int64_t iterations, Body&& body) {
    meet();
    const Nanoseconds begin = now();
    for (std::int64_t i = 0; i < iterations; ++i) body();
    return static_cast<double>(now() - begin) / 1e3 / static_cast<double>(iterations);
  }

  /// By the exchange of this sample, so that the ratio is what it is called whatever an exchange takes now. All ranks
  /// compute equally long: as rank 0 finds.
  void plan_computation() {
    if (rank_ == 0) units_ = kernel_.units_for(static_cast<Nanoseconds>(exchange_ * 1e3 * ratio_));
    where_.enter("MPI_Bcast");
    check(MPI_Bcast(&units_, 1, MPI_INT64_T, 0, comm_), "MPI_Bcast");
  }

  const MPI_Comm comm_;
  MPI_Comm self_ = MPI_COMM_NULL;  ///< the helper's own, so that no wildcard sees its message
  Whereabouts& where_;
  const int rank_;
  const std::vector<int> peers_;
  const double ratio_;
  const std::string progress_;
  const int helper_cpu_;
  Slots out_;
  Slots in_;
  std::vector<MPI_Request> requests_;
  Kernel kernel_;
  // Of the last sample, in us.
  std::int64_t units_ = 1;  ///< of the kernel
  double exchange_ = 1;
  double compute_ = 1;
  double both_ = 1;
};

void check_overlap(const PointSet& set) {
  const std::int64_t neighbours = set.work.whole("neighbours");
  if (neighbours != 1 && neighbours % 2 != 0) {
    throw PlanError("'neighbours' must be 1, or even: as many on the left as on the right");
  }
  if (set.work.threads != 1) throw PlanError("overlap has 1 thread: the one that computes");
}

/// Whether proxies help along is fixed when they start.
void check_proxies(const std::string& variant, bool helping) {
  if (helping && variant != "endpoint-proxy") throw Unavailable("only variant endpoint-proxy has proxies that help");
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* const started = std::getenv("RADDLE_PROXY_PROGRESS");
  const bool async = started != nullptr && std::string_view(started) == "async";
  if (variant == "endpoint-proxy" && async != helping) {
    throw PlanError(helping ? "'progress' is 'proxy', and this launch has no RADDLE_PROXY_PROGRESS=async"
                            : "this launch has RADDLE_PROXY_PROGRESS=async, and 'progress' is not 'proxy'");
  }
}

std::unique_ptr<Arm> overlap_arm(const std::string& variant, const Team& team, const Work& work) {
  check_proxies(variant, work.word("progress") == "proxy");
  const bool threaded = work.word("progress") == "thread" || work.word("progress") == "probe";
  if (variant == "process" && threaded) throw Unavailable("a helper thread needs MPI_THREAD_MULTIPLE");
  return group_arm<NeighbourExchange>(variant, team, work);
}

const Register overlap(Benchmark{declared::overlap(),
                                 {.kind = Kind::reading,
                                  .arm = overlap_arm,
                                  .readings = {{"iteration"}, {"exchange"}, {"compute"}, {"total"}, {"overlap"}},
                                  .check = check_overlap}});

}  // namespace
}  // namespace raddle::bench
