// SPDX-License-Identifier: BSD-3-Clause
// RSX: each sender adds to a counter of each receiver from afar; after a barrier everybody knows how many messages it
// gets, and these follow.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.3 (remote summation), with a barrier in place of fences, so
// that nothing waits.
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "platform/must.hpp"
#include "platform/waiting.hpp"
#include "sparse/algorithm.hpp"
#include "sparse/point_to_point.hpp"

namespace raddle::sparse::algorithms {
namespace {

/// Collective over `comm`: while it lives, no other thread of these processes makes or frees a window of Raddle's,
/// which Open MPI 5.0 does not survive. Whoever has his process's lock gives it back unless all have theirs, so that
/// two communicators never wait for each other.
class AloneWithWindows {
 public:
  explicit AloneWithWindows(MPI_Comm comm) {
    for (int all = 0; all == 0;) {
      const int mine = lock_.try_lock() ? 1 : 0;
      const int code = MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
      if ((all == 0 || code != MPI_SUCCESS) && mine != 0) lock_.unlock();
      check(code);
      if (all == 0) platform::Machine::yield();
    }
  }
  AloneWithWindows(const AloneWithWindows&) = delete;
  AloneWithWindows& operator=(const AloneWithWindows&) = delete;
  ~AloneWithWindows() { lock_.unlock(); }

 private:
  static std::mutex lock_;
};

std::mutex AloneWithWindows::lock_;

/// Numbers that other ranks add to from afar, one for exchanges of each parity.
class Counters final : public Resources {
 public:
  /// Collective over `comm`, which outlives it. @throws endpoints::Failure: the MPI makes no window of it
  explicit Counters(MPI_Comm comm);
  ~Counters() override;

  /// Adds to the number of another rank. The request is complete when that is done there (MPI-4.1 section 12.3.5: the
  /// earlier value, which nobody wants, is back). Both numbers stay where they are until then.
  void add(const std::int64_t& number, std::int64_t& earlier, int rank, int parity, MPI_Request& request) const;
  /// The own number, which becomes 0.
  [[nodiscard]] std::int64_t take(int parity) const;

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  std::int64_t* numbers_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

Counters::Counters(MPI_Comm comm) : comm_(comm) {
  platform::must("MPI_Comm_rank", MPI_Comm_rank(comm, &rank_));
  const AloneWithWindows alone(comm);
  constexpr int unit = sizeof(std::int64_t);
  check(MPI_Win_allocate(2 * unit, unit, MPI_INFO_NULL, comm, static_cast<void*>(&numbers_), &window_));
  platform::must("MPI_Win_set_errhandler", MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN));
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_));
  numbers_[0] = numbers_[1] = 0;
  check(MPI_Win_sync(window_));
  check(MPI_Barrier(comm));
}

Counters::~Counters() {
  const AloneWithWindows alone(comm_);
  platform::must("MPI_Win_unlock_all", MPI_Win_unlock_all(window_));
  platform::regardless(MPI_Win_free(&window_));
}

void Counters::add(const std::int64_t& number, std::int64_t& earlier, int rank, int parity,
                   MPI_Request& request) const {
  check(MPI_Rget_accumulate(&number, 1, MPI_INT64_T, &earlier, 1, MPI_INT64_T, rank, parity, 1, MPI_INT64_T, MPI_SUM,
                            window_, &request));
}

std::int64_t Counters::take(int parity) const {
  constexpr std::int64_t none = 0;
  std::int64_t number = 0;
  check(MPI_Fetch_and_op(&none, &number, MPI_INT64_T, rank_, parity, MPI_REPLACE, window_));
  check(MPI_Win_flush(rank_, window_));
  return number;
}

class Rsx final : public Way {
 public:
  Rsx(const Exchange& exchange, const Counters& counters);
  Step step() override;

 private:
  struct Sum {
    std::int64_t number = 0;
    std::int64_t earlier = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  enum class Phase : std::uint8_t { adding, barrier, known };

  [[nodiscard]] bool added();

  Round round_;
  const Counters& counters_;
  Sender sender_;
  Receiver receiver_;
  std::map<int, Sum> sums_;  ///< by rank
  std::map<int, Sum>::iterator adding_;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  Phase phase_ = Phase::adding;
  std::size_t awaited_ = 0;
  std::size_t found_ = 0;
};

Rsx::Rsx(const Exchange& exchange, const Counters& counters)
    : round_(exchange.round),
      counters_(counters),
      sender_(exchange.round, exchange.kind),
      receiver_(exchange.round, exchange.kind, exchange.sink) {
  for (const Message& message : exchange.messages) ++sums_[message.rank].number;
  for (auto& [rank, sum] : sums_) counters_.add(sum.number, sum.earlier, rank, round_.parity, sum.request);
  adding_ = sums_.begin();
  for (const Message& message : exchange.messages) sender_.send(message);
}

bool Rsx::added() {
  for (; adding_ != sums_.end(); ++adding_) {
    if (!completed(adding_->second.request)) return false;
  }
  return true;
}

Step Rsx::step() {
  bool moved = false;
  if (phase_ == Phase::adding && added()) {
    check(MPI_Ibarrier(round_.comm, &barrier_));
    phase_ = Phase::barrier;
    moved = true;
  }
  if (phase_ == Phase::barrier && completed(barrier_)) {
    awaited_ = static_cast<std::size_t>(counters_.take(round_.parity));
    phase_ = Phase::known;
    moved = true;
  }
  const bool known = phase_ == Phase::known;
  const std::size_t most = known ? awaited_ - found_ : Receiver::some;
  if (most > 0) {
    const std::size_t found = receiver_.look(most);
    found_ += found;
    moved = moved || found > 0;
  }
  moved = receiver_.settle() || moved;
  return known && found_ == awaited_ && receiver_.idle() && sender_.done() ? Step::over : moved_if(moved);
}

}  // namespace

/// It has no turn: it never was the best one where it was measured.
const Algorithm& rsx() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources* counters) -> std::unique_ptr<Way> {
        return std::make_unique<Rsx>(exchange, static_cast<const Counters&>(*counters));
      },
      .prepare = [](ExchangeLane&,
                    MPI_Comm comm) { return Preparation{.resources = std::make_unique<Counters>(comm)}; },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
