// SPDX-License-Identifier: BSD-3-Clause
// All ranks take and give back the exclusive lock of one of them.
#include "declared/rma_lock.hpp"

#include <cstdint>

#include "core/loops.hpp"
#include "suites/rma/rma_window.hpp"

namespace raddle::bench {
namespace {

class Locks final : public Worker {
 public:
  Locks(MPI_Comm comm, const Seat&, const Work&) : window_(comm, sizeof(std::int64_t)) {}

  Span sample(std::int64_t iterations) override {
    return between_meetings(
        iterations, [&] { window_.meet(); },
        [&] {
          lock();
          unlock();
        });
  }
  /// Reads a number and writes the next one: only a lock makes one step of them.
  Validation validate() override {
    constexpr std::int64_t each = 20;
    const std::int64_t before = look();
    window_.meet();
    for (std::int64_t i = 0; i < each; ++i) {
      lock();
      std::int64_t number = read();
      ++number;
      check(MPI_Put(&number, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, window_.window()), "MPI_Put");
      unlock();
    }
    window_.meet();
    const std::int64_t all = look();
    window_.meet();
    return number_is(all == before + each * window_.size());
  }

 private:
  void lock() const { check(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_.window()), "MPI_Win_lock"); }
  void unlock() const { check(MPI_Win_unlock(0, window_.window()), "MPI_Win_unlock"); }
  [[nodiscard]] std::int64_t read() const {
    std::int64_t number = -1;
    check(MPI_Get(&number, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, window_.window()), "MPI_Get");
    window_.flush(0);
    return number;
  }
  [[nodiscard]] std::int64_t look() const {
    lock();
    const std::int64_t number = read();
    unlock();
    return number;
  }

  const RmaWindow window_;
};

const Register lock(Benchmark{declared::rma_lock(), rma_timed<Locks>(once)});

}  // namespace
}  // namespace raddle::bench
