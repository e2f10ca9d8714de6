// SPDX-License-Identifier: BSD-3-Clause
// A put in a passive epoch that stays open, until the target sees it.
#include "declared/rma_put.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/loops.hpp"
#include "suites/rma/rma_window.hpp"

namespace raddle::bench {
namespace {

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
  const OpenWindow window_;
  Slots out_;
  std::uint64_t count_ = 0;
};

const Register put(Benchmark{declared::rma_put(), rma_timed<PutPingPong>(there_and_back)});

}  // namespace
}  // namespace raddle::bench
