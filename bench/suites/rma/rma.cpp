// SPDX-License-Identifier: BSD-3-Clause
// One-sided communication in a passive epoch that stays open: a put that the target sees, a get, and additions to one
// counter by all ranks. A benchmark for each.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "core/spin.hpp"
#include "declared/rma_fetch_and_op.hpp"
#include "declared/rma_get.hpp"
#include "declared/rma_put.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {
namespace {

/// A window of so many bytes in each rank, locked for all until it ends.
class OpenWindow {
 public:
  OpenWindow(MPI_Comm comm, std::size_t bytes) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    const auto size = static_cast<MPI_Aint>((bytes + line - 1) / line * line);
    check(MPI_Win_allocate(size, 1, MPI_INFO_NULL, comm, static_cast<void*>(&memory_), &window_), "MPI_Win_allocate");
    check(MPI_Win_lock_all(0, window_), "MPI_Win_lock_all");
    std::fill_n(memory_, size, std::byte{});
    check(MPI_Win_sync(window_), "MPI_Win_sync");
    check(MPI_Barrier(comm), "MPI_Barrier");
  }
  OpenWindow(const OpenWindow&) = delete;
  OpenWindow& operator=(const OpenWindow&) = delete;
  ~OpenWindow() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  void put(std::span<const std::byte> bytes, std::size_t at) {
    check(MPI_Put(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, partner(), static_cast<MPI_Aint>(at),
                  static_cast<int>(bytes.size()), MPI_BYTE, window_),
          "MPI_Put");
    check(MPI_Win_flush(partner(), window_), "MPI_Win_flush");
  }
  void get(std::span<std::byte> bytes) {
    check(MPI_Get(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, partner(), 0, static_cast<int>(bytes.size()),
                  MPI_BYTE, window_),
          "MPI_Get");
    check(MPI_Win_flush(partner(), window_), "MPI_Win_flush");
  }
  /// One more in rank 0's first word. @returns what was there
  std::int64_t add() {
    const std::int64_t one = 1;
    std::int64_t was = 0;
    check(MPI_Fetch_and_op(&one, &was, MPI_INT64_T, 0, 0, MPI_SUM, window_), "MPI_Fetch_and_op");
    check(MPI_Win_flush(0, window_), "MPI_Win_flush");
    return was;
  }
  /// Until the word there is `value`: by loads, and now and then a call, since some MPIs put by the target's help.
  void await(std::size_t at, std::uint64_t value) {
    std::atomic_ref<std::uint64_t> word(*reinterpret_cast<std::uint64_t*>(memory_ + at));
    unsigned looks = 0;
    spin_until(
        [&] {
          if (++looks % 64 == 0) {
            int flag = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &flag, MPI_STATUS_IGNORE);
            MPI_Win_sync(window_);
          }
          return word.load(std::memory_order_acquire) == value;
        },
        patient);
  }

  void meet() { check(MPI_Barrier(comm_), "MPI_Barrier"); }
  [[nodiscard]] std::span<std::byte> own(std::size_t bytes) { return {memory_, bytes}; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int partner() const { return size_ - 1 - rank_; }

 private:
  MPI_Comm comm_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* memory_ = nullptr;
  int rank_ = 0;
  int size_ = 1;
};

/// A put and a flush, and behind it for what is longer than a word one more, which says that it is there.
class PutPingPong final : public RoundTrips<PutPingPong> {
 public:
  PutPingPong(MPI_Comm comm, const Seat& seat, const Work& work)
      : RoundTrips(seat),
        word_at_((static_cast<std::size_t>(work.bytes) + word - 1) / word * word),
        window_(comm, word_at_ + word),
        out_(work.bytes, 1) {}

  Validation validate() override {
    Validation result;
    fill(out_[0], own_content(), 1);
    round();
    if (out_.bytes() > word) compare(window_.own(out_.bytes()), content_of_other(), 1, result);
    window_.meet();  // what has been compared may be written again
    result.bytes = std::max<std::int64_t>(result.bytes, word);
    return result;
  }

 private:
  friend class RoundTrips<PutPingPong>;

  static constexpr std::size_t word = sizeof(std::uint64_t);

  void round() {
    ++count_;
    if (sends()) post();
    window_.await(word_at_, count_);
    if (!sends()) post();
  }
  void post() {
    if (out_.bytes() > word) window_.put(out_[0], 0);
    window_.put(std::as_bytes(std::span(&count_, 1)), word_at_);
  }

  const std::size_t word_at_;
  OpenWindow window_;
  Slots out_;
  std::uint64_t count_ = 0;
};

class Gets final : public Worker {
 public:
  Gets(MPI_Comm comm, const Seat& seat, const Work& work)
      : flow_(seat.flow), window_(comm, static_cast<std::size_t>(work.bytes)), in_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    // Its memory is read until all are through.
    return between_meetings(iterations, [&] { window_.meet(); }, [&] { window_.get(in_[0]); });
  }
  Validation validate() override {
    Validation result;
    fill(window_.own(in_.bytes()), 2 * flow_ + window_.rank(), 1);
    window_.meet();
    in_.clear();
    window_.get(in_[0]);
    compare(in_[0], 2 * flow_ + window_.partner(), 1, result);
    window_.meet();
    return result;
  }

 private:
  const int flow_;
  OpenWindow window_;
  Slots in_;
};

class Additions final : public Worker {
 public:
  Additions(MPI_Comm comm, const Seat&, const Work&) : window_(comm, sizeof(std::int64_t)) {}

  Span sample(std::int64_t iterations) override {
    // Some MPIs add with the help of rank 0 until all are through.
    return between_meetings(iterations, [&] { window_.meet(); }, [&] { window_.add(); });
  }
  Validation validate() override {
    constexpr std::int64_t each = 100;
    window_.meet();
    const std::int64_t before = window_.add();
    window_.meet();
    std::int64_t last = before;
    bool grows = true;
    for (std::int64_t i = 0; i < each; ++i) {
      const std::int64_t was = window_.add();
      grows = grows && was > last;
      last = was;
    }
    window_.meet();
    const std::int64_t all = window_.add();
    window_.meet();
    const bool right = grows && all >= before + each * window_.size();
    return {sizeof(std::int64_t), right ? 0 : static_cast<std::int64_t>(sizeof(std::int64_t))};
  }

 private:
  OpenWindow window_;
};

template <typename Each>
Method timed(double (*work)(const Work&)) {
  return {.kind = Kind::time, .work_per_operation = work, .min_sample_seconds = 20e-6, .arm = group_arm<Each>};
}

const Register put(Benchmark{declared::rma_put(), timed<PutPingPong>(there_and_back)});
const Register get(Benchmark{declared::rma_get(), timed<Gets>(once)});
const Register fetch_and_op(Benchmark{declared::rma_fetch_and_op(), timed<Additions>(once)});

}  // namespace
}  // namespace raddle::bench
