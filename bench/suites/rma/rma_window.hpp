// SPDX-License-Identifier: BSD-3-Clause
// Windows as the benchmarks of this suite have them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/buffer.hpp"
#include "core/spin.hpp"
#include "mpi/benchmark.hpp"
#include "mpi/check.hpp"

namespace raddle::bench {

/// A window of so many bytes in each rank, all zero at first. Operations end with a flush, for which the caller has
/// begun an epoch.
class RmaWindow {
 public:
  RmaWindow(MPI_Comm comm, std::size_t bytes) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    const auto size = static_cast<MPI_Aint>((bytes + line - 1) / line * line);
    check(MPI_Win_allocate(size, 1, MPI_INFO_NULL, comm, static_cast<void*>(&memory_), &window_), "MPI_Win_allocate");
    check(MPI_Win_lock(MPI_LOCK_SHARED, rank_, 0, window_), "MPI_Win_lock");
    std::fill_n(memory_, size, std::byte{});
    check(MPI_Win_unlock(rank_, window_), "MPI_Win_unlock");
    meet();
  }
  RmaWindow(const RmaWindow&) = delete;
  RmaWindow& operator=(const RmaWindow&) = delete;
  ~RmaWindow() { MPI_Win_free(&window_); }

  // One operation on the partner's memory.
  void start_put(std::span<const std::byte> bytes, std::size_t at) const {
    check(MPI_Put(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, partner(), static_cast<MPI_Aint>(at),
                  static_cast<int>(bytes.size()), MPI_BYTE, window_),
          "MPI_Put");
  }
  void start_get(std::span<std::byte> bytes, std::size_t at) const {
    check(MPI_Get(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, partner(), static_cast<MPI_Aint>(at),
                  static_cast<int>(bytes.size()), MPI_BYTE, window_),
          "MPI_Get");
  }
  void flush(int rank) const { check(MPI_Win_flush(rank, window_), "MPI_Win_flush"); }
  void put(std::span<const std::byte> bytes, std::size_t at) const {
    start_put(bytes, at);
    flush(partner());
  }
  void get(std::span<std::byte> bytes) const {
    start_get(bytes, 0);
    flush(partner());
  }

  // On the first word of rank 0. @returns what was there
  std::int64_t add(std::int64_t number) const {
    std::int64_t was = 0;
    check(MPI_Fetch_and_op(&number, &was, MPI_INT64_T, 0, 0, MPI_SUM, window_), "MPI_Fetch_and_op");
    flush(0);
    return was;
  }
  std::int64_t swap(std::int64_t expected, std::int64_t wanted) const {
    std::int64_t was = 0;
    check(MPI_Compare_and_swap(&wanted, &expected, &was, MPI_INT64_T, 0, 0, window_), "MPI_Compare_and_swap");
    flush(0);
    return was;
  }

  void meet() const { check(MPI_Barrier(comm_), "MPI_Barrier"); }
  /// What others have put before a meeting is what this rank reads, and what it writes they get after the next one.
  void sync() const { check(MPI_Win_sync(window_), "MPI_Win_sync"); }
  [[nodiscard]] MPI_Win window() const { return window_; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] std::span<std::byte> own(std::size_t bytes, std::size_t at = 0) const { return {memory_ + at, bytes}; }
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

/// In a passive epoch for all ranks, which ends with it.
class OpenWindow : public RmaWindow {
 public:
  OpenWindow(MPI_Comm comm, std::size_t bytes) : RmaWindow(comm, bytes) {
    check(MPI_Win_lock_all(0, window()), "MPI_Win_lock_all");
    meet();
  }
  OpenWindow(const OpenWindow&) = delete;
  OpenWindow& operator=(const OpenWindow&) = delete;
  ~OpenWindow() { MPI_Win_unlock_all(window()); }

  /// Until the word there is `value`: by loads, and now and then a call, since some MPIs put by the target's help.
  void await(std::size_t at, std::uint64_t value) const {
    const std::atomic_ref<std::uint64_t> word(*reinterpret_cast<std::uint64_t*>(own(0, at).data()));
    unsigned looks = 0;
    spin_until(
        [&] {
          if (++looks % 64 == 0) {
            int flag = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm(), &flag, MPI_STATUS_IGNORE);
            sync();
          }
          return word.load(std::memory_order_acquire) == value;
        },
        patient);
  }
};

/// How long an operation takes. @tparam Each  its worker
template <typename Each>
Method rma_timed(double (*work)(const Work&)) {
  return {.kind = Kind::time, .work_per_operation = work, .min_sample_seconds = 20e-6, .arm = group_arm<Each>};
}

/// Where a benchmark checks a number, and not bytes of a message.
inline Validation number_is(bool right) {
  constexpr std::int64_t bytes = sizeof(std::int64_t);
  return {bytes, right ? 0 : bytes};
}

}  // namespace raddle::bench
