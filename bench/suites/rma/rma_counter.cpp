// SPDX-License-Identifier: BSD-3-Clause
// All ranks on one counter of 8 bytes in a passive epoch that stays open: additions, and compare-and-swaps, which only
// some of them win. A benchmark for each, and one for additions by a few ranks.
#include "declared/rma_counter.hpp"

#include <cstdint>

#include "core/loops.hpp"
#include "declared/rma_compare_and_swap.hpp"
#include "declared/rma_fetch_and_op.hpp"
#include "suites/rma/rma_window.hpp"

namespace raddle::bench {
namespace {

constexpr std::int64_t increments_tried = 100;

class Additions final : public Worker {
 public:
  Additions(MPI_Comm comm, const Seat&, const Work&) : window_(comm, sizeof(std::int64_t)) {}

  Span sample(std::int64_t iterations) override {
    // Some MPIs add with the help of rank 0 until all are through.
    return between_meetings(iterations, [&] { window_.meet(); }, [&] { window_.add(1); });
  }
  Validation validate() override {
    window_.meet();
    const std::int64_t before = window_.add(1);
    window_.meet();
    std::int64_t last = before;
    bool grows = true;
    for (std::int64_t i = 0; i < increments_tried; ++i) {
      const std::int64_t was = window_.add(1);
      grows = grows && was > last;
      last = was;
    }
    window_.meet();
    const std::int64_t all = window_.add(1);
    window_.meet();
    return number_is(grows && all >= before + increments_tried * window_.size());
  }

 private:
  const OpenWindow window_;
};

class Swaps final : public Worker {
 public:
  Swaps(MPI_Comm comm, const Seat&, const Work&) : window_(comm, sizeof(std::int64_t)) {}

  Span sample(std::int64_t iterations) override {
    return between_meetings(iterations, [&] { window_.meet(); }, [&] { try_to_add(); });
  }
  Validation validate() override {
    window_.meet();
    const std::int64_t before = window_.add(0);
    window_.meet();
    for (std::int64_t added = 0; added < increments_tried;) added += try_to_add() ? 1 : 0;
    window_.meet();
    const std::int64_t all = window_.add(0);
    window_.meet();
    return number_is(all == before + increments_tried * window_.size());
  }

 private:
  /// From what it was when this rank last looked.
  bool try_to_add() {
    const std::int64_t was = window_.swap(last_, last_ + 1);
    const bool done = was == last_;
    last_ = done ? last_ + 1 : was;
    return done;
  }

  const OpenWindow window_;
  std::int64_t last_ = 0;
};

const Register fetch_and_op(Benchmark{declared::rma_fetch_and_op(), rma_timed<Additions>(once)});
const Register counter(Benchmark{declared::rma_counter(), rma_timed<Additions>(once)});
const Register compare_and_swap(Benchmark{declared::rma_compare_and_swap(), rma_timed<Swaps>(once)});

}  // namespace
}  // namespace raddle::bench
