// SPDX-License-Identifier: BSD-3-Clause
// A get in a passive epoch that stays open.
#include "declared/rma_get.hpp"

#include "core/loops.hpp"
#include "suites/rma/rma_window.hpp"

namespace raddle::bench {
namespace {

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
    window_.sync();
    window_.meet();
    in_.clear();
    window_.get(in_[0]);
    compare(in_[0], 2 * flow_ + window_.partner(), 1, result);
    window_.meet();
    return result;
  }

 private:
  const int flow_;
  const OpenWindow window_;
  Slots in_;
};

const Register get(Benchmark{declared::rma_get(), rma_timed<Gets>(once)});

}  // namespace
}  // namespace raddle::bench
