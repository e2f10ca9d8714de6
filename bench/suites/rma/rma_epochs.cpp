// SPDX-License-Identifier: BSD-3-Clause
// Epochs in which each rank puts something into its partner's memory: between fences, and of MPI_Win_post and
// MPI_Win_start. A benchmark for each.
#include <cstdint>

#include "core/buffer.hpp"
#include "core/loops.hpp"
#include "declared/rma_fence.hpp"
#include "declared/rma_pscw.hpp"
#include "suites/rma/rma_window.hpp"

namespace raddle::bench {
namespace {

class Fences {
 public:
  explicit Fences(const RmaWindow& window) : window_(window.window()) {}
  void first() const { check(MPI_Win_fence(MPI_MODE_NOPRECEDE, window_), "MPI_Win_fence"); }
  void last() const { check(MPI_Win_fence(MPI_MODE_NOSUCCEED, window_), "MPI_Win_fence"); }
  void begin() const {}
  void end() const { check(MPI_Win_fence(0, window_), "MPI_Win_fence"); }

 private:
  MPI_Win window_;
};

class PostsAndStarts {
 public:
  explicit PostsAndStarts(const RmaWindow& window) : window_(window.window()) {
    MPI_Group all = MPI_GROUP_NULL;
    check(MPI_Win_get_group(window_, &all), "MPI_Win_get_group");
    const int partner = window.partner();
    check(MPI_Group_incl(all, 1, &partner, &partner_), "MPI_Group_incl");
    MPI_Group_free(&all);
  }
  PostsAndStarts(const PostsAndStarts&) = delete;
  PostsAndStarts& operator=(const PostsAndStarts&) = delete;
  ~PostsAndStarts() { MPI_Group_free(&partner_); }
  void first() const {}
  void last() const {}
  void begin() const {
    check(MPI_Win_post(partner_, 0, window_), "MPI_Win_post");
    check(MPI_Win_start(partner_, 0, window_), "MPI_Win_start");
  }
  void end() const {
    check(MPI_Win_complete(window_), "MPI_Win_complete");
    check(MPI_Win_wait(window_), "MPI_Win_wait");
  }

 private:
  MPI_Win window_;
  MPI_Group partner_ = MPI_GROUP_NULL;
};

template <typename Epochs>
class PutsInEpochs final : public Worker {
 public:
  PutsInEpochs(MPI_Comm comm, const Seat& seat, const Work& work)
      : flow_(seat.flow), window_(comm, static_cast<std::size_t>(work.bytes)), epochs_(window_), out_(work.bytes, 1) {}

  Span sample(std::int64_t iterations) override {
    epochs_.first();
    const Span span = between_meetings(iterations, [&] { window_.meet(); }, [&] { step(); });
    epochs_.last();
    return span;
  }
  Validation validate() override {
    Validation result;
    fill(out_[0], content(window_.rank()), 1);
    sample(1);
    compare(window_.own(out_.bytes()), content(window_.partner()), 1, result);
    window_.meet();  // what has been compared may be written again
    return result;
  }

 private:
  void step() {
    epochs_.begin();
    window_.start_put(out_[0], 0);
    epochs_.end();
  }
  [[nodiscard]] int content(int rank) const { return 2 * flow_ + rank; }

  const int flow_;
  const RmaWindow window_;
  const Epochs epochs_;
  Slots out_;
};

const Register fence(Benchmark{declared::rma_fence(), rma_timed<PutsInEpochs<Fences>>(once)});
const Register pscw(Benchmark{declared::rma_pscw(), rma_timed<PutsInEpochs<PostsAndStarts>>(once)});

}  // namespace
}  // namespace raddle::bench
