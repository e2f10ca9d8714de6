// SPDX-License-Identifier: BSD-3-Clause
// NBX, the nonblocking census: whoever has seen its synchronous sends received enters a barrier, and goes on receiving
// until the barrier is through. Memory and messages in proportion to a rank's own messages, and log P.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.4 (algorithm NBX).
#include "sparse/algorithm.hpp"
#include "sparse/point_to_point.hpp"

namespace raddle::sparse::algorithms {
namespace {

class Nbx final : public Way {
 public:
  explicit Nbx(const Exchange& exchange)
      : comm_(exchange.round.comm),
        sender_(exchange.round, exchange.kind),
        receiver_(exchange.round, exchange.kind, exchange.sink) {
    for (const Message& message : exchange.messages) sender_.send_synchronously(message);
  }

  Step step() override {
    bool moved = !through_ && receiver_.look(Receiver::some) > 0;
    moved = receiver_.settle() || moved;
    if (!entered_ && sender_.done()) {
      check(MPI_Ibarrier(comm_, &barrier_));
      entered_ = true;
      moved = true;
    }
    if (entered_ && !through_)
      through_ = completed(barrier_);  // all messages of all have been found by their receivers
    return through_ && receiver_.idle() ? Step::over : moved_if(moved);
  }

 private:
  MPI_Comm comm_;
  Sender sender_;
  Receiver receiver_;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  bool entered_ = false;
  bool through_ = false;
};

}  // namespace

const Algorithm& nbx() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources*) -> std::unique_ptr<Way> {
        return std::make_unique<Nbx>(exchange);
      },
      .turn = [](ExchangeLane&) { return std::optional(100); },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
